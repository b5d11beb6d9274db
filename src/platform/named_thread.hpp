#pragma once

#include <optional>
#include <string>
#include <thread>

#include "base/log.hpp"
#include "base/result.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// A loop on an operating-system thread of its own, under a name that `ps -T` shows. What lives on
/// the loop is made before start() and destroyed after stop(), while the loop stands still. Several
/// of them are stopped in the reverse order of their start.
class NamedThread {
public:
    static constexpr std::size_t max_name = 15;  ///< bytes that the system shows

    struct Options {
        std::string name;
        /// SCHED_FIFO at this priority (1 to 99). Where that is not permitted, an ordinary thread, and
        /// one line in the log.
        std::optional<int> real_time_priority{};
    };

    /// `log` is used by start() alone.
    NamedThread(Options options, Log& log);
    ~NamedThread() { stop(); }
    NamedThread(const NamedThread&) = delete;
    NamedThread& operator=(const NamedThread&) = delete;

    EventLoop& loop() { return loop_; }
    /// Code::unavailable: the machine gives no thread.
    Result<void> start();
    /// Ends the loop after the task that is running, and waits for the thread. Not from that thread.
    void stop();
    bool running() const { return thread_.joinable(); }

private:
    void prefer_real_time();

    Options options_;
    Log& log_;
    EventLoop loop_;
    std::thread thread_;
};

}  // namespace caribou
