#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "motion/guard.hpp"
#include "platform/child_start.hpp"
#include "platform/gpio_lines.hpp"

namespace caribou {

/// How a guard stops a body, and what it writes to while it is fed.
struct GuardedBodyPlan {
    motion::GuardWay way = motion::GuardWay::driver;
    std::vector<std::string> driver{};  ///< the command line of the driver
    std::string device{};               ///< the driver's device; the guard writes the stop frame to it
    std::string gpio_chip{};            ///< of the line
    unsigned gpio_line = 0;             ///< high: the motors can be switched on
    std::string watchdog{};             ///< such as /dev/watchdog: a byte per feed
    std::string heartbeat{};            ///< a port of the motors' board: a line per feed
};

/// The body as its guard handles it: the driver's process, or an enable line. Nothing blocks, except for
/// `kill_limit`.
class GuardedBody {
public:
    /// How long a cut waits for the driver's end before it writes the stop frame all the same.
    static constexpr Duration kill_limit = std::chrono::milliseconds(20);

    /// Opens the line, the watchdog and the heartbeat. The line is low. `log` outlives it.
    static Result<std::unique_ptr<GuardedBody>> open(GuardedBodyPlan plan, Log& log);
    ~GuardedBody();
    GuardedBody(const GuardedBody&) = delete;
    GuardedBody& operator=(const GuardedBody&) = delete;

    /// Lets the body be moved. Returns the robot's end of the connection to the driver that was started, or
    /// none if there is no driver. `group_processes`: see ChildPlan.
    Result<Descriptor> restore(int group_processes);
    /// Sets the child of the guard that is not a driver, nor started by one.
    void spare(pid_t robot) { robot_ = robot; }
    /// Stops the body. `facts` are those of its driver. Returns whether that is confirmed: the line reads
    /// back low, the driver has ended within `kill_limit`, and its stop frame, if any, is written.
    bool cut(const motion::DriverFacts& facts);
    /// Lowers the line, and requests the driver to end.
    void release();
    /// The robot has fed.
    void beat();
    /// The robot has ended in good order: the watchdog is switched off.
    void stop_watchdog();

    /// A descriptor that is readable once the driver has ended, or -1 if none runs.
    int driver_alive() const { return driver_.alive ? driver_.alive.get() : -1; }
    /// Reaps the driver that has ended.
    void reap_driver();

private:
    GuardedBody(GuardedBodyPlan plan, Log& log) : plan_(std::move(plan)), log_(log) {}

    Result<Descriptor> start_driver(int group_processes);
    bool kill_driver();
    /// Kills the programs that the driver has started in process groups of their own.
    void kill_strays();
    bool write_stop_frame(const Bytes& frame);
    bool set_line(bool high);
    void reap_killed();

    GuardedBodyPlan plan_;
    Log& log_;
    std::unique_ptr<GpioLines> gpio_;
    StartedChild driver_;
    pid_t robot_ = -1;
    std::vector<pid_t> killed_;  ///< and not reaped yet
    Descriptor device_;
    Descriptor watchdog_;
    Descriptor heartbeat_;
};

}  // namespace caribou
