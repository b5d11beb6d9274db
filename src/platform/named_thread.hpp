#pragma once

#include <optional>
#include <string>
#include <thread>

#include "base/log.hpp"
#include "base/result.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// A loop on its own operating-system thread, with a name shown by `ps -T`. Objects on the loop must be
/// created before start() and destroyed after stop(), while the loop is not running. Several threads must be
/// stopped in the reverse order of their start.
class NamedThread {
public:
    static constexpr std::size_t max_name = 15;  ///< bytes shown by the system

    struct Options {
        std::string name;
        /// SCHED_FIFO at this priority (1 to 99). If not permitted, an ordinary thread, and a message in the
        /// log.
        std::optional<int> real_time_priority{};
    };

    /// `log` is used in start() only.
    NamedThread(Options options, Log& log);
    ~NamedThread() { stop(); }
    NamedThread(const NamedThread&) = delete;
    NamedThread& operator=(const NamedThread&) = delete;

    EventLoop& loop() { return loop_; }
    /// Fails with Code::unavailable if the thread cannot be created.
    Result<void> start();
    /// Ends the loop after the current task and joins the thread. Must not be called from that thread.
    void stop();
    /// Returns whether start() was called without a later stop().
    bool running() const { return thread_.joinable(); }

private:
    void prefer_real_time();

    Options options_;
    Log& log_;
    EventLoop loop_;
    std::thread thread_;
};

}  // namespace caribou
