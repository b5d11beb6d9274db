#pragma once

#include <functional>
#include <memory>

#include "base/log.hpp"
#include "base/result.hpp"
#include "driver/body_driver_settings.hpp"
#include "loop/clock.hpp"
#include "motion/body.hpp"

namespace caribou {

/// The process of a driver: the connection to the robot that has started it, and the descriptors of its
/// devices, on one thread (docs/formats/driver.md). Construct it, construct the body, and call run().
class DriverLoop {
public:
    /// Called when the descriptor can be read, or is lost. An error ends the driver.
    using OnReadable = std::function<Result<void>()>;
    /// Called at least every `turn`, before the body is read. An error ends the driver.
    using OnTurn = std::function<Result<void>()>;

    /// The longest time between two turns.
    static constexpr Duration turn = std::chrono::milliseconds(5);

    /// Fails if this process was not started by a robot.
    static Result<std::unique_ptr<DriverLoop>> open();
    ~DriverLoop();
    DriverLoop(const DriverLoop&) = delete;
    DriverLoop& operator=(const DriverLoop&) = delete;

    const Clock& clock() const;
    /// The log of the robot. A line above debug is shown to people.
    Log& log();
    /// Watches a descriptor of a device until unwatch().
    void watch(int descriptor, OnReadable on_readable);
    void unwatch(int descriptor);

    /// Takes turns, without a robot, until `is_ready` returns true. Returns false if the robot has ended the
    /// connection meanwhile.
    Result<bool> prepare(const std::function<Result<bool>()>& is_ready);
    /// Serves the robot until it ends the connection, or a signal ends this process. Orders rest at the end,
    /// however it comes, and logs an error as the reason.
    Result<void> run(motion::Body& body, driver::BodyDriverSettings settings,
                     const OnTurn& on_turn = nullptr);
    /// Logs the reason why a driver ends that never ran.
    void report(const Error& error);
    /// Closes the connection, which confirms to the robot that the body is stopped.
    void close();

private:
    class Core;
    explicit DriverLoop(std::unique_ptr<Core> core);

    std::unique_ptr<Core> core_;
};

}  // namespace caribou
