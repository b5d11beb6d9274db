#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bus/launch_plan.hpp"
#include "loop/loop.hpp"
#include "loop/process.hpp"

namespace caribou::bus {

/// Who wants to know what becomes of the programs of a launch.
class LaunchEvents {
public:
    virtual ~LaunchEvents() = default;
    /// A line that a program printed.
    virtual void on_line(std::size_t program, std::string_view line) = 0;
    /// What happened to a program, in words: `started`, `ended with 1`, `starts again in 2 s`.
    virtual void on_note(std::size_t program, std::string_view note) = 0;
    /// Nothing runs and nothing will.
    virtual void on_over() = 0;
};

/// Starts the programs of a plan one after another, starts again those that the plan wants to run
/// on, and ends them all. A state machine: processes and time are handed in.
class Supervisor {
public:
    Supervisor(Loop& loop, Processes& processes, LaunchPlan plan, LaunchEvents& events);
    /// Ends at once whatever still runs.
    ~Supervisor();
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    void start();
    /// Asks everything to end; what has not ended after the grace is ended by force. A second call
    /// does not wait.
    void stop();

    /// Starts a program of the plan that has ended. Returns false if it runs, waits to be started, or if
    /// everything is being ended.
    bool start_again(std::size_t program);

    bool over() const;
    /// The names of those that could not be started or did not end well; ending when asked to is well.
    std::vector<std::string> failures() const;
    const LaunchPlan& plan() const { return plan_; }

private:
    class Child;

    void start_next();
    void on_child_over();
    void force();

    Loop& loop_;
    Processes& processes_;
    LaunchPlan plan_;
    LaunchEvents& events_;
    std::vector<std::unique_ptr<Child>> children_;
    std::size_t next_ = 0;
    bool stopping_ = false;
    std::unique_ptr<Timer> next_start_;
    std::unique_ptr<Timer> grace_;
};

}  // namespace caribou::bus
