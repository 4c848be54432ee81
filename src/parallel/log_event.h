// Entries in PETSc's -log_view: stages for the phases of a run, and events for their expensive parts.
#pragma once

#include <petsclog.h>

namespace traction {

/// Adds the time of a scope to an event. Use:  static const LogEvent event("StageProduct"); const LogEvent::Scope timed(event);
class LogEvent {
 public:
  explicit LogEvent(const char* name) {
    static const PetscClassId family = [] {
      PetscClassId id = 0;
      PetscClassIdRegister("Traction", &id);
      return id;
    }();
    PetscLogEventRegister(name, family, &event_);
  }

  /// Counts the time from its construction to its destruction for the event.
  class Scope {
   public:
    explicit Scope(const LogEvent& event) : event_(event.event_) { PetscLogEventBegin(event_, nullptr, nullptr, nullptr, nullptr); }
    ~Scope() { PetscLogEventEnd(event_, nullptr, nullptr, nullptr, nullptr); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PetscLogEvent event_;
  };

 private:
  PetscLogEvent event_ = 0;
};

/// A phase that lasts as long as its scope, the same on all ranks.
class LogStage {
 public:
  explicit LogStage(const char* name) {
    PetscLogStage stage = -1;
    PetscLogStageGetId(name, &stage);
    if (stage < 0) PetscLogStageRegister(name, &stage);
    PetscLogStagePush(stage);
  }
  ~LogStage() { PetscLogStagePop(); }
  LogStage(const LogStage&) = delete;
  LogStage& operator=(const LogStage&) = delete;
};

}  // namespace traction
