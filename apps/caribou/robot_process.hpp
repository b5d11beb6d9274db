#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bus/broker_server.hpp"
#include "caribou/robot_body.hpp"
#include "caribou/robot_link.hpp"
#include "cubes/radio.hpp"
#include "platform/config_file.hpp"
#include "platform/cube_preference_file.hpp"
#include "platform/named_thread.hpp"
#include "platform/propulsion_thread.hpp"
#include "platform/socket_network.hpp"
#include "platform/supervisor_notice.hpp"
#include "platform/thread_strand.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/robot.hpp"
#include "robot/robot_bus.hpp"

namespace caribou::app {

/// A thread of the robot: its loop, the way in, and its network.
struct RobotThread {
    RobotThread(const std::string& name, Log& log)
        : thread({.name = name}, log), strand(thread.loop()), network(thread.loop(), log) {}

    NamedThread thread;
    ThreadStrand strand;
    SocketNetwork network;
};

/// A whole robot in this process: every thread on an operating-system thread of its name.
class RobotProcess {
public:
    struct Options {
        std::string config_path;
        std::string reboots;  ///< the history of RebootLimit
        KeyFolder keys;       ///< of a link that is not plain
        bool self_test = false;
    };
    /// The log outlives it.
    static Result<std::unique_ptr<RobotProcess>> make(const robot::RobotConfig& config, Options options,
                                                      Log& log);
    ~RobotProcess();

    /// Until the robot has ended, or a signal has asked it to.
    Result<robot::RobotEnd> run();
    /// A signal asked for the end.
    bool was_asked() const { return was_asked_; }
    std::string reboots() const { return reboots_.history(); }

private:
    RobotProcess(const robot::RobotConfig& config, Options options, Log& log);

    Result<void> build();
    Result<std::vector<behavior::TreeText>> tree_files() const;
    Result<void> host_bus();
    Result<void> start_threads();
    void stop_threads();
    void hear(robot::ThreadMain& main);

    robot::RobotConfig config_;
    Options options_;
    Log& log_;
    EventLoop outside_;  ///< of the thread that waits for signals and the end
    SupervisorNotice service_;
    RobotThread main_;
    RobotThread telemetry_;
    RobotThread transmission_;
    RobotThread receiver_;
    RobotThread ai_;
    RobotThread bus_;
    ConfigFile store_;
    robot::RebootLimit reboots_;
    std::unique_ptr<RobotBody> body_;
    std::unique_ptr<cubes::Radio> radio_;
    std::unique_ptr<cubes::PreferenceStore> preferences_;
    robot::RobotBuffers buffers_;
    robot::MotionInbox inbox_;
    std::unique_ptr<PropulsionThread> propulsion_;
    std::unique_ptr<RobotLink> link_;  ///< null: it is plain, or there is none
    std::unique_ptr<robot::Robot> robot_;
    std::unique_ptr<bus::BrokerServer> broker_;
    std::unique_ptr<robot::RobotBus> robot_bus_;
    std::optional<robot::RobotEnd> end_;
    bool was_asked_ = false;
};

}  // namespace caribou::app
