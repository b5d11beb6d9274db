#pragma once

#include <memory>

#include "platform/stamped_log.hpp"

namespace caribou {

/// Passes lines to another log on a thread of its own, which receives no signals, for a caller that must
/// never wait for a terminal, a pipe or a disk. Lines keep the time of their call. If more than `max_lines`
/// wait, the newest are dropped; how many is logged once the others are written.
class BackgroundLog final : public Log {
public:
    static constexpr std::size_t max_lines = 1000;

    explicit BackgroundLog(std::unique_ptr<StampedLog> log);
    /// Flushes. A thread that still waits then is abandoned.
    ~BackgroundLog() override;
    BackgroundLog(const BackgroundLog&) = delete;
    BackgroundLog& operator=(const BackgroundLog&) = delete;

    void write(Level level, std::string_view text) override;
    /// Waits until all lines are written, at most one second. Called before a program ends or is replaced.
    void flush();

private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with the thread
};

}  // namespace caribou
