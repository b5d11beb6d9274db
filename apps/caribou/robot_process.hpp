#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bus/broker_server.hpp"
#include "caribou/robot_body.hpp"
#include "caribou/robot_link.hpp"
#include "caribou/robot_node.hpp"
#include "caribou/robot_thread.hpp"
#include "caribou/robot_web.hpp"
#include "cubes/radio.hpp"
#include "platform/config_file.hpp"
#include "platform/cube_preference_file.hpp"
#include "platform/end_limit.hpp"
#include "platform/guard_link.hpp"
#include "platform/latch_file.hpp"
#include "platform/order_trace_file.hpp"
#include "platform/propulsion_thread.hpp"
#include "platform/software_check.hpp"
#include "platform/state_lock.hpp"
#include "platform/supervisor_notice.hpp"
#include "platform/topic_transport.hpp"
#include "robot/cube_places.hpp"
#include "robot/local_control.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/navigator.hpp"
#include "robot/robot.hpp"
#include "robot/robot_bus.hpp"

namespace caribou::app {

/// A complete robot in this process: each thread is an operating-system thread of the same name.
class RobotProcess {
public:
    /// Exit status of a robot that has ended in RM0: off permanently, must not be restarted.
    static constexpr int rm0_status = 10;

    struct Options {
        std::string config_path;
        std::string reboots;  ///< the history of RebootLimit
        KeyFolder keys;       ///< for a link with authentication
        bool self_test = false;
        GuardLink* guard = nullptr;  ///< outlives the process object; null: there is none
    };
    /// The log must outlive this object.
    static Result<std::unique_ptr<RobotProcess>> make(const robot::RobotConfig& config, Options options,
                                                      Log& log);
    ~RobotProcess();

    /// Runs until the robot has ended, or until a signal.
    Result<robot::RobotEnd> run();
    /// Returns whether a signal requested the end.
    bool was_asked() const { return was_asked_; }
    std::string reboots() const { return reboots_.history(); }
    /// Returns the faults at its end. Must be called after run().
    const std::set<std::string>& faults() const { return robot_->main().faults(); }

private:
    RobotProcess(const robot::RobotConfig& config, Options options, Log& log);

    Result<void> build();
    /// Returns the text of a file in the folder of the configuration. Its name may come over the link.
    Result<std::string> read_beside_config(const std::string& name) const;
    SoftwareNeeds software_needs() const;
    Result<void> host_bus();
    Result<void> join_ros();
    Result<void> show_views();
    Result<void> serve_page();
    Result<void> lock_state();
    void meet_guard();
    void serve_locally();
    Result<void> start_threads();
    void stop_threads();
    void hear(robot::ThreadMain& main);

    robot::RobotConfig config_;
    Options options_;
    Log& log_;
    std::optional<EndLimit> end_limit_;  ///< destroyed last
    EventLoop outside_;                  ///< of the thread that waits for signals and the end
    SupervisorNotice service_;
    RobotThread main_;
    RobotThread telemetry_;
    RobotThread transmission_;
    RobotThread receiver_;
    RobotThread ai_;
    RobotThread bus_;
    ConfigFile store_;
    robot::RebootLimit reboots_;
    std::optional<StateLock> lock_;  ///< against a self-check
    std::unique_ptr<LatchFile> latch_;
    ThreadStrand outside_strand_{outside_};
    SocketNetwork outside_network_;
    driver::DriverInlet inlet_;
    std::unique_ptr<RobotBody> body_;
    std::unique_ptr<cubes::Radio> radio_;
    std::optional<robot::CubePlaces> cube_places_;  ///< on the AI's thread
    std::unique_ptr<cubes::PreferenceStore> preferences_;
    robot::RobotBuffers buffers_;
    robot::MotionInbox inbox_;
    OrderTraceFile trace_{inbox_};
    std::unique_ptr<PropulsionThread> propulsion_;
    std::unique_ptr<RobotLink> link_;              ///< null: no authentication, or no link
    std::shared_ptr<robot::Navigator> navigator_;  ///< on the AI's thread
    std::unique_ptr<robot::Robot> robot_;
    std::unique_ptr<robot::LocalControl> local_;
    std::unique_ptr<bus::BrokerServer> broker_;
    std::unique_ptr<robot::RobotBus> robot_bus_;
    std::unique_ptr<RobotNode> node_;
    std::unique_ptr<RobotWeb> web_;
    std::unique_ptr<TopicTransport> topics_;
    std::unique_ptr<robot::RobotViews> views_;  ///< over topics_
    std::optional<robot::RobotEnd> end_;
    bool was_asked_ = false;
};

}  // namespace caribou::app
