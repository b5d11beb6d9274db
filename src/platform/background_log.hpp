#pragma once

#include <memory>

#include "base/log.hpp"

namespace caribou {

/// Passes lines to another log on a thread of its own, which receives no signals, for a caller that must
/// never wait for a terminal, a pipe or a disk. Lines beyond `max_lines` that wait are dropped; how many is
/// logged later.
class BackgroundLog final : public Log {
public:
    static constexpr std::size_t max_lines = 1000;

    explicit BackgroundLog(std::unique_ptr<Log> log);
    /// Waits at most one second until everything is written. A thread that still waits then is abandoned.
    ~BackgroundLog() override;
    BackgroundLog(const BackgroundLog&) = delete;
    BackgroundLog& operator=(const BackgroundLog&) = delete;

    void write(Level level, std::string_view text) override;

private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with the thread
};

}  // namespace caribou
