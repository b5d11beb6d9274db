#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "link/answer.hpp"
#include "link/command_table.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// Receives the answers to a command: optionally `accepted`, and then exactly one final answer.
using AnswerHandler = std::move_only_function<void(const link::Answer&)>;

struct PendingLimits {
    Duration answer = std::chrono::seconds(5);  ///< until the first answer
    /// From `accepted` until the final answer: longer than a robot may take for `dock`.
    Duration work = link::dock_limit + std::chrono::seconds(60);
    std::size_t most = 32;  ///< pending at once, per robot
};

/// Pending commands to one robot. Each receives exactly one final answer: the robot's, or a refusal from here
/// after a timeout.
class PendingCommands {
public:
    explicit PendingCommands(const PendingLimits& limits) : limits_(limits) {}

    std::size_t size() const { return pending_.size(); }
    bool has(link::CommandId id) const {
        return std::ranges::any_of(pending_, [id](const Pending& each) { return each.id == id; });
    }
    void add(link::CommandId id, Instant now, AnswerHandler on_answer);
    /// Processes the robot's answer. Returns whether a command was waiting for it.
    bool take(const link::Answer& answer, Instant now);
    /// Refuses the commands whose time limit has passed.
    void expire(Instant now);
    /// Refuses all pending commands except those for which `keeps` returns true.
    void refuse_all(const link::Objection& why, const std::function<bool(link::CommandId)>& keeps);

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
