#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adapters/body/gpio_lines.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "motion/guard.hpp"
#include "platform/child_start.hpp"
#include "platform/control_group.hpp"
#include "platform/stray_processes.hpp"

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
/// `kill_limit` and `strays_limit`.
class GuardedBody {
public:
    /// How long a cut waits for the driver's end before it writes the stop frame all the same.
    static constexpr Duration kill_limit = std::chrono::milliseconds(20);
    /// How long it kills what the driver has started; kill_strays() goes on later.
    static constexpr Duration strays_limit = std::chrono::milliseconds(30);

    /// Opens the line, the watchdog and the heartbeat. The line is low. `log` outlives it.
    static Result<std::unique_ptr<GuardedBody>> open(GuardedBodyPlan plan, Log& log);
    ~GuardedBody();
    GuardedBody(const GuardedBody&) = delete;
    GuardedBody& operator=(const GuardedBody&) = delete;

    /// Replaces the plan, as open() does, after the driver was killed. If it fails, restore() does, too.
    Result<void> change(GuardedBodyPlan plan);
    /// Lets the body be moved. Returns the robot's end of the connection to the driver that was started, or
    /// none if there is no driver. Fails while a process of the driver before is alive.
    Result<Descriptor> restore();
    /// Lets a driver be killed together with everything that it has started. This process becomes a child
    /// subreaper; `robot` is its only child that is not a driver, nor started by one, or -1. Drivers join
    /// `group`. Called before the first driver is started.
    void own_strays(pid_t robot, DriverGroup group);
    /// Stops the body. `facts` are those of its driver. Returns whether that is confirmed: the line reads
    /// back low, the driver and all that it has started have ended in time, and its stop frame, if any, is
    /// written.
    bool cut(const motion::DriverFacts& facts);
    /// Returns whether processes that a driver has started were alive after the last attempt to kill them.
    bool has_strays() const { return has_strays_; }
    /// Kills them again, for `strays_limit` at most. Once none is left, writes the stop frame again.
    void kill_strays(const motion::DriverFacts& facts);
    /// Reaps processes that have ended: the driver's, whose parents have ended before, and killed ones.
    void reap();
    /// Lowers the line.
    void release();
    /// Sends SIGTERM to the driver.
    void terminate_driver();
    /// The robot has fed.
    void beat();
    /// The robot has ended in good order: the watchdog is switched off.
    void stop_watchdog();

    /// A descriptor that is readable once the driver has ended, or -1 if none runs.
    int driver_alive() const { return driver_.alive ? driver_.alive.get() : -1; }
    /// The driver has ended by itself: ends what it has left behind, and stops its device.
    void end_driver(const motion::DriverFacts& facts);

private:
    GuardedBody(GuardedBodyPlan plan, Log& log) : plan_(std::move(plan)), log_(log) {}

    Result<void> open_files();
    Result<Descriptor> start_driver();
    bool kill_driver();
    /// Returns whether none is left.
    bool end_strays();
    bool stop_device(const Bytes& frame);
    bool set_line(bool high);

    GuardedBodyPlan plan_;
    Log& log_;
    std::unique_ptr<GpioLines> gpio_;
    StartedChild driver_;
    std::unique_ptr<StrayProcesses> strays_;
    bool has_strays_ = false;
    bool reported_growth_ = false;  ///< of the present strays
    Descriptor device_;
    Descriptor watchdog_;
    Descriptor heartbeat_;
};

}  // namespace caribou
