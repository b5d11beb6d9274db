#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Starts one thread after another, each after the previous one has completed its test cycle, with a time
/// limit for each.
class StartUp {
public:
    struct Step {
        ThreadName who{};
        bool required = true;  ///< false: the start continues without it
    };
    /// A completed step.
    struct Taken {
        ThreadName who{};
        Duration took{};
        std::string why{};  ///< error; empty if it succeeded
    };
    StartUp(std::vector<Step> steps, Duration limit) : steps_(std::move(steps)), limit_(limit) {}

    /// Returns the thread to start now, once; nullopt if there is none at present.
    std::optional<ThreadName> next(Instant now);
    /// Reports the result of a thread's test cycle. With `runs_anyway` a failure does not end the start.
    void on_started(ThreadName who, const Result<void>& outcome, Instant now, bool runs_anyway = false);
    void tick(Instant now);
    /// Returns the time limit of the present step, at which tick() must be called.
    std::optional<Instant> due() const;

    const std::vector<Taken>& taken() const { return taken_; }
    bool done() const { return at_ == steps_.size() && !failure_; }
    /// Returns why the start has failed; nullopt if it has not.
    const std::optional<std::string>& failure() const { return failure_; }
    /// Returns the error of a thread, whether it is required or not; null if there is none.
    const std::string* complaint_of(ThreadName who) const;

private:
    void complain(const std::string& why, Instant now, bool runs_anyway = false);
    void end_step(std::string why, Instant now);

    std::vector<Step> steps_;
    Duration limit_;
    std::size_t at_ = 0;
    std::optional<Instant> begun_;  ///< start of the present step
    std::optional<std::string> failure_;
    std::vector<std::pair<ThreadName, std::string>> complaints_;
    std::vector<Taken> taken_;
};

}  // namespace caribou::robot
