// Holds back the warnings of the log, and counts them.
#pragma once

#include <spdlog/details/log_msg_buffer.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace traction {

/// Holds back the warnings that this rank logs until they are released, or this object ends. Other messages are logged at once. Only the first rank logs.
class HeldWarnings {
 public:
  HeldWarnings() : sink_(std::make_shared<Sink>(spdlog::default_logger()->sinks())) { spdlog::default_logger()->sinks() = {sink_}; }
  ~HeldWarnings() {
    release();
    spdlog::default_logger()->sinks() = sink_->targets;
  }
  HeldWarnings(const HeldWarnings&) = delete;
  HeldWarnings& operator=(const HeldWarnings&) = delete;

  /// The number of warnings so far, released or not.
  int count() const { return sink_->count; }

  /// Logs the warnings that are held back, and from now on each at once.
  void release() { sink_->release(); }

 private:
  struct Sink : spdlog::sinks::base_sink<spdlog::details::null_mutex> {
    explicit Sink(std::vector<spdlog::sink_ptr> all) : targets(std::move(all)) {}

    void release() {
      holds = false;
      for (const spdlog::details::log_msg_buffer& message : std::exchange(held, {})) pass_on(message);
    }

    std::vector<spdlog::sink_ptr> targets;
    std::vector<spdlog::details::log_msg_buffer> held;
    bool holds = true;
    int count = 0;

   protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
      const bool is_warning = message.level == spdlog::level::warn;
      if (is_warning) ++count;
      if (is_warning && holds) held.emplace_back(message);
      else pass_on(message);
    }
    void flush_() override {
      for (const spdlog::sink_ptr& target : targets) target->flush();
    }

   private:
    void pass_on(const spdlog::details::log_msg& message) {
      for (const spdlog::sink_ptr& target : targets)
        if (target->should_log(message.level)) target->log(message);
    }
  };

  std::shared_ptr<Sink> sink_;
};

}  // namespace traction
