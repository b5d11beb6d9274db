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

/// Callbacks of a launch.
class LaunchEvents {
public:
    virtual ~LaunchEvents() = default;
    /// A program printed a line.
    virtual void on_line(std::size_t program, std::string_view line) = 0;
    /// State change of a program, as text: `started`, `exited with 1`, `restarts in 2 s`.
    virtual void on_note(std::size_t program, std::string_view note) = 0;
    /// No program is running, and none will be started.
    virtual void on_over() = 0;
};

/// Starts the programs of a plan one after another, restarts them as the plan requires, and stops them all. A
/// state machine: processes and time are passed in.
class Supervisor {
public:
    Supervisor(Loop& loop, Processes& processes, LaunchPlan plan, LaunchEvents& events);
    /// Kills all programs that are still running.
    ~Supervisor();
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    void start();
    /// Requests all programs to exit, and kills those still running after the grace period. A second call
    /// kills them at once.
    void stop();

    /// Receives a text about what was done, or why the program was not started.
    using OnStarted = std::function<void(const Result<std::string>&)>;
    /// Starts a program of the plan. One that is running is requested to exit, killed if it is still running
    /// after start_again_grace, and then started. `on_started` is called once, possibly before this returns.
    /// Fails if there is no such program, if it is being started again already, or if the launch is stopping.
    void start_again(std::size_t program, OnStarted on_started);
    static constexpr Duration start_again_grace = std::chrono::seconds(2);

    /// Writes a line to the standard input of a program that `reads_input`. Returns false if it is not
    /// running, or does not read.
    bool write(std::size_t program, std::string_view line);

    bool over() const;
    /// Returns the names of the programs that could not be started or failed. Exiting on request is not a
    /// failure.
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
