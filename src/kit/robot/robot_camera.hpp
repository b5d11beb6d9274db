#pragma once

#include <memory>
#include <optional>

#include "kit/robot/robot_body.hpp"
#include "kit/robot/robot_thread.hpp"
#include "platform/system_processes.hpp"
#include "robot/camera.hpp"
#include "robot/command_camera.hpp"
#include "robot/cube_places.hpp"

namespace caribou::app {

/// The camera of a robot, on a thread of its own: the program of camera.command, or the view of a simulated
/// world.
class RobotCamera {
public:
    /// The cubes of a simulated world, on the strand of the AI; null if there are none.
    struct Cubes {
        Strand& strand;
        const robot::CubePlaces* places = nullptr;
    };

    /// Returns null if the robot has no camera. All arguments outlive it. Nothing runs before start().
    static std::unique_ptr<RobotCamera> make(const robot::RobotConfig& config, RobotBody& body, Cubes cubes,
                                             Log& log);
    ~RobotCamera() { stop(); }

    /// Checks that the program exists.
    static Result<void> check(const robot::RobotConfig& config);

    Result<void> start() { return thread_.thread.start(); }
    void stop() { thread_.thread.stop(); }
    /// Thread-safe.
    void ask(views::CameraEncodings wanted, robot::TellView tell) {
        desk_->ask(std::move(wanted), std::move(tell));
    }

private:
    explicit RobotCamera(Log& log) : thread_("camera", log), processes_(thread_.thread.loop()) {}

    RobotThread thread_;
    SystemProcesses processes_;
    std::unique_ptr<robot::CameraSource> source_;
    std::optional<robot::CameraDesk> desk_;
};

}  // namespace caribou::app
