// Counts the warnings of the log.
#pragma once

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace traction {

/// Counts the warnings that this rank logs while it lives. Only the first rank logs.
class WarningCount {
 public:
  WarningCount() { spdlog::default_logger()->sinks().push_back(sink_); }
  ~WarningCount() { std::erase(spdlog::default_logger()->sinks(), sink_); }
  WarningCount(const WarningCount&) = delete;
  WarningCount& operator=(const WarningCount&) = delete;

  int count() const { return sink_->count; }

 private:
  struct Sink : spdlog::sinks::base_sink<spdlog::details::null_mutex> {
    int count = 0;

   protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
      if (message.level == spdlog::level::warn) ++count;
    }
    void flush_() override {}
  };

  std::shared_ptr<Sink> sink_ = std::make_shared<Sink>();
};

}  // namespace traction
