#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Starts one thread after another, each when the one before has gone through its test cycle, and waits
/// for each no longer than it may.
class StartUp {
public:
    struct Step {
        ThreadName who{};
        bool required = true;  ///< else the start goes on without it
    };
    /// A step that is over.
    struct Taken {
        ThreadName who{};
        Duration took{};
        std::string why{};  ///< it failed; empty: it did not
    };
    StartUp(std::vector<Step> steps, Duration limit) : steps_(std::move(steps)), limit_(limit) {}

    /// Whom to start now, once. None: nobody at present.
    std::optional<ThreadName> next(Instant now);
    void on_started(ThreadName who, const Result<void>& outcome, Instant now, bool runs_anyway = false);
    void tick(Instant now);
    std::optional<Instant> due() const;

    const std::vector<Taken>& taken() const { return taken_; }
    bool done() const { return at_ == steps_.size() && !failure_; }
    /// Why the start has failed. None: it has not.
    const std::optional<std::string>& failure() const { return failure_; }
    /// What went wrong with a thread, be it required or not. None: nothing.
    const std::string* complaint_of(ThreadName who) const;

private:
    void complain(const std::string& why, Instant now, bool runs_anyway = false);
    void end_step(std::string why, Instant now);

    std::vector<Step> steps_;
    Duration limit_;
    std::size_t at_ = 0;
    std::optional<Instant> begun_;  ///< the step at present
    std::optional<std::string> failure_;
    std::vector<std::pair<ThreadName, std::string>> complaints_;
    std::vector<Taken> taken_;
};

}  // namespace caribou::robot
