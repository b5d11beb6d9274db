#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "link/answer.hpp"
#include "link/command_table.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// Hears of a command: perhaps once that it was accepted, and then, exactly once, its end.
using AnswerHandler = std::move_only_function<void(const link::Answer&)>;

struct PendingLimits {
    Duration answer = std::chrono::seconds(5);  ///< until the first answer
    /// From `accepted` until the end: longer than a robot may take for `dock`.
    Duration work = link::dock_limit + std::chrono::seconds(60);
    std::size_t most = 32;  ///< at once, for one robot
};

/// Commands under way to one robot. Each gets exactly one final answer: the robot's, or ours when it does
/// not come.
class PendingCommands {
public:
    explicit PendingCommands(const PendingLimits& limits) : limits_(limits) {}

    bool full() const { return pending_.size() >= limits_.most; }
    std::size_t size() const { return pending_.size(); }
    void add(link::CommandId id, Instant now, AnswerHandler on_answer);
    /// What the robot says. Whether anybody waits for it.
    bool take(const link::Answer& answer, Instant now);
    /// Answers those that have waited too long.
    void expire(Instant now);
    /// Answers all of them.
    void refuse_all(const link::Objection& why);

private:
    struct Pending {
        link::CommandId id;
        Instant due;
        bool accepted;
        AnswerHandler on_answer;
    };

    PendingLimits limits_;
    std::vector<Pending> pending_;
};

}  // namespace caribou::station
