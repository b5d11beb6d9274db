#pragma once

#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/log.hpp"

namespace caribou {

/// Passes all lines to another log, and to a listener while there is one. Thread-safe.
class LogTap final : public Log {
public:
    using Listener = std::function<void(Level, std::string_view)>;

    /// `log` must outlive it.
    explicit LogTap(Log& log) : log_(log) {}

    void write(Level level, std::string_view text) override {
        log_.write(level, text);
        const std::scoped_lock lock(mutex_);
        if (listener_) listener_(level, text);
    }
    /// Replaces the listener, which is called on any thread and must not block or log. The previous one is
    /// not called once this has returned.
    void listen(Listener listener) {
        const std::scoped_lock lock(mutex_);
        listener_ = std::move(listener);
    }

private:
    Log& log_;
    std::mutex mutex_;
    Listener listener_;
};

}  // namespace caribou
