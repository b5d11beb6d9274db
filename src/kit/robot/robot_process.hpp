#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "adapters/bluez/cube_preference_file.hpp"
#include "adapters/body/guard_link.hpp"
#include "adapters/body/order_trace_file.hpp"
#include "adapters/body/propulsion_thread.hpp"
#include "adapters/dds/topic_transport.hpp"
#include "adapters/robot_files/kept_facts_file.hpp"
#include "adapters/robot_files/latch_file.hpp"
#include "adapters/robot_files/map_folder.hpp"
#include "adapters/robot_files/software_check.hpp"
#include "adapters/systemd/supervisor_notice.hpp"
#include "bus/broker_server.hpp"
#include "cubes/radio.hpp"
#include "kit/robot/behavior_programs.hpp"
#include "kit/robot/robot_body.hpp"
#include "kit/robot/robot_buttons.hpp"
#include "kit/robot/robot_camera.hpp"
#include "kit/robot/robot_config_file.hpp"
#include "kit/robot/robot_link.hpp"
#include "kit/robot/robot_node.hpp"
#include "kit/robot/robot_thread.hpp"
#include "kit/robot/robot_web.hpp"
#include "motion/guard.hpp"
#include "platform/end_limit.hpp"
#include "platform/log_tap.hpp"
#include "robot/cube_places.hpp"
#include "robot/local_control.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/navigator.hpp"
#include "robot/release_button.hpp"
#include "robot/robot.hpp"
#include "robot/robot_bus.hpp"

namespace caribou::app {

/// A complete robot in this process: each thread is an operating-system thread of the same name.
class RobotProcess {
public:
    /// Exit status of a robot that has ended in RM0: off permanently, must not be restarted.
    static constexpr int rm0_status = motion::Guard::off_status;

    struct Options {
        std::string config_path;
        std::string reboots;  ///< the history of RebootLimit
        KeyFolder keys;       ///< for a link with authentication
        /// Returns the folder of the keys for this value of `link.keys`, which RM5 may find changed.
        std::function<KeyFolder(const std::string& configured)> key_folder{};
        bool self_test = false;
        robot::AddOwnClasses own{};  ///< classes of the program; may be empty
        GuardLink* guard = nullptr;  ///< outlives the process object; null: there is none
        /// Replaces the process by a fresh image (RM5), although threads hang. Returns only on failure.
        std::function<void(const std::string& reboots)> restart{};
        std::function<void()> flush_log{};  ///< called before the process exits without its threads
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
    void avoid_delays();
    /// Returns the text of a file in the folder of the configuration. Its name may come over the link.
    Result<std::string> read_beside_config(const std::string& name) const;
    /// Reads a tree of that name beside the configuration, or the configured one if the name is empty.
    Result<std::vector<behavior::TreeText>> read_tree(const std::vector<std::string>& names) const;
    SoftwareNeeds software_needs() const;
    Result<void> host_bus();
    Result<void> join_ros();
    Result<void> show_views();
    Result<void> serve_page();
    Result<void> meet_guard();
    void serve_locally();
    Result<void> open_buttons();
    Result<void> start_threads();
    void stop_threads();
    void hear(robot::ThreadMain& main);
    /// Returns an empty function if there is no camera.
    std::function<void(views::CameraEncodings, robot::TellView)> ask_camera();
    void submit_local(robot::Request request);
    void watch_power_off();
    bool is_main_silent();
    void prove();
    /// On main's thread: does the duty of the initial thread while that hangs.
    void watch_initial_thread();
    /// Stops the motors, completes the stored latch, and leaves; `hanging` names a thread that hangs.
    [[noreturn]] void end_without(std::string_view hanging, const robot::RobotEnd& end);
    /// Ends the process, or replaces it for RM5, whatever other threads do.
    [[noreturn]] void leave(const robot::RobotEnd& end);

    robot::RobotConfig config_;
    Options options_;
    LogTap tap_;  ///< for `/rosout`
    Log& log_;
    robot::RebootLimit reboots_;
    std::optional<EndLimit> end_limit_;  ///< destroyed last of what may hang
    EventLoop outside_;                  ///< of the thread that waits for signals and the end
    SupervisorNotice service_;
    RobotThread main_;
    RobotThread telemetry_;
    RobotThread transmission_;
    RobotThread receiver_;
    RobotThread ai_;
    RobotThread stops_;
    RobotThread bus_;
    RobotConfigFile store_;
    std::unique_ptr<LatchFile> latch_;
    ThreadStrand outside_strand_{outside_};
    SocketNetwork outside_network_;
    driver::DriverInlet inlet_;
    std::unique_ptr<RobotBody> body_;
    std::unique_ptr<cubes::Radio> radio_;
    std::optional<robot::CubePlaces> cube_places_;  ///< on the AI's thread
    std::unique_ptr<RobotCamera> camera_;           ///< null: there is none
    std::unique_ptr<cubes::PreferenceStore> preferences_;
    KeptFactsFile facts_;
    MapFolder maps_;
    robot::RobotBuffers buffers_;
    robot::MotionInbox inbox_;
    OrderTraceFile trace_{inbox_};
    std::unique_ptr<PropulsionThread> propulsion_;
    std::unique_ptr<RobotLink> link_;              ///< null: no authentication, or no link
    std::shared_ptr<robot::Navigator> navigator_;  ///< on the AI's thread
    std::unique_ptr<BehaviorPrograms> programs_;   ///< same; null: there are none
    std::unique_ptr<robot::Robot> robot_;
    std::unique_ptr<robot::LocalControl> local_;
    std::unique_ptr<robot::ReleaseButton> release_button_;  ///< on the thread of the buttons
    std::unique_ptr<RobotButtons> buttons_;                 ///< null: there are none
    std::unique_ptr<bus::BrokerServer> broker_;
    std::unique_ptr<robot::RobotBus> robot_bus_;
    std::unique_ptr<RobotNode> node_;
    std::unique_ptr<RobotWeb> web_;
    std::unique_ptr<TopicTransport> topics_;
    std::unique_ptr<robot::RobotViews> views_;  ///< over topics_
    std::optional<robot::RobotEnd> end_;
    bool was_asked_ = false;
    std::optional<robot::Request> power_off_;  ///< requested on this machine
    Instant power_off_until_{};                ///< until then main is watched for it
    std::unique_ptr<Timer> power_off_watch_;   ///< on the thread that waits for signals
    std::unique_ptr<Timer> life_;              ///< same
    std::unique_ptr<Timer> initial_watch_;     ///< on main's thread
    SharedBuffer<bool> is_ending_;             ///< the initial thread has taken the end of the robot
    // On main's thread.
    int signal_ = 0;  ///< received and not handled yet
    std::optional<robot::RobotEnd> end_of_main_;
};

}  // namespace caribou::app
