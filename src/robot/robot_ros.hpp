#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/log.hpp"
#include "loop/stall_timer.hpp"
#include "loop/strand.hpp"
#include "loop/weak_self.hpp"
#include "negotiation/transport.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/ros_messages.hpp"
#include "robot/ros_outlet.hpp"
#include "robot/ros_sender.hpp"

namespace caribou::robot {

/// The robot's pose estimate and map.
struct MapView {
    Pose pose{};                                       ///< in the map's frame
    Pose odometry{};                                   ///< at the same time
    std::shared_ptr<const map::OccupancyGrid> grid{};  ///< null: not requested
};

/// The robot as ROS 2 topics, over any transport: publishes scan, odom, tf, tf_static, map, battery_state and
/// /clock with every round of telemetry, except what other nodes publish in its place; odom, tf and
/// joint_states also in between. With `cmd_vel`, twists drive it, with lease and dead man's switch like all
/// other sources.
class RobotRos final : private negotiation::ReaderEvents {
public:
    struct Options {
        std::string name_space = "/";  ///< of all topics
        RosFrames::Options frames{};
        bool map = true;     ///< publish it
        bool clock = false;  ///< the same
        bool cmd_vel = false;
        bool stamped_cmd_vel = false;                              ///< TwistStamped instead of Twist
        Duration odometry_period = std::chrono::milliseconds(33);  ///< of odom, tf and joint_states
        double wheel_radius = 0;                                   ///< m; 0: no joint_states
        double nearest = 0;                                        ///< m; shortest distance of the lidar
        Duration map_period = std::chrono::seconds(1);
    };
    using Submit = std::function<void(Request)>;
    /// Requests the view; the answer may come on any thread, or never.
    using Told = std::function<void(const MapView&)>;
    using AskMap = std::function<void(bool with_grid, Told told)>;
    /// Receives the origin of odometry in the map of another node that locates the robot.
    using UseFrame = std::function<void(const Pose& odom_in_map)>;
    /// Returns the present state of motion. Called on the strand; must not block.
    using Report = std::function<motion::MotionReport()>;
    struct Hooks {
        Submit submit;
        AskMap ask_map;
        UseFrame use_frame;
        Report report{};  ///< null: odometry is that of telemetry
    };

    /// All arguments must outlive this object.
    RobotRos(Strand& strand, negotiation::Transport& transport, RobotBuffers& buffers,
             const motion::BodyPlan& body, RosSender& sender, Log& log, Hooks hooks, Options options);
    ~RobotRos();

    Result<void> start();

private:
    /// Reads the transforms of other nodes.
    class TransformEar final : public negotiation::ReaderEvents {
    public:
        explicit TransformEar(RobotRos& robot) : robot_(robot) {}
        void on_sample(const negotiation::Peer& writer, const negotiation::Sample& sample) override {
            robot_.on_transforms(writer, sample);
        }

    private:
        RobotRos& robot_;
    };

    std::unique_ptr<RosOutlet> outlet(std::string_view name, std::string_view type, bool keeps);
    Result<void> listen_to_transforms();
    void write_static_transforms();
    void on_transforms(const negotiation::Peer& writer, const negotiation::Sample& sample);
    /// Logs once which transforms no node publishes.
    void check_others();
    void on_telemetry();
    void tell_scan(const TelemetryRound& round);
    void tell_place(const TelemetryRound& round);
    void on_odometry_due();
    /// Publishes it if it is due; the other transforms are compared with it in any case.
    void tell_odometry(double stamp, const motion::Odometry& odometry, bool is_due);
    void tell_transforms(double stamp, const Pose& odometry);
    Result<void> listen_to_twists();
    void on_map(const MapView& view);
    void on_sample(const negotiation::Peer& writer, const negotiation::Sample& sample) override;
    void on_writer_joined(const negotiation::Peer& writer) override { drivers_.insert(writer.id); }
    void on_writer_gone(const negotiation::Peer& writer) override;
    struct Movement {
        motion::MotionCommand command;
        double received;  ///< by Clock::boot_seconds()
    };
    void drive(const Movement& movement);
    void on_answer(const link::Answer& answer);
    /// Logs a repeated problem once; empty if there is none.
    void complain(std::string why);

    Strand& strand_;
    negotiation::Transport& transport_;
    RobotBuffers& buffers_;
    const motion::BodyPlan& body_;
    RosSender& sender_;
    Log& log_;
    Hooks hooks_;
    Options options_;
    RosFrames frames_;
    TransformEar transform_ear_{*this};
    std::optional<std::size_t> lidar_;

    Result<void> outcome_{};  ///< error of the first outlet that could not be opened
    std::unique_ptr<RosOutlet> scan_;
    std::unique_ptr<RosOutlet> odom_;
    std::unique_ptr<RosOutlet> joints_;
    std::unique_ptr<RosOutlet> tf_;
    std::unique_ptr<RosOutlet> tf_static_;
    std::unique_ptr<RosOutlet> map_;
    std::unique_ptr<RosOutlet> battery_;
    std::unique_ptr<RosOutlet> clock_;
    std::unique_ptr<negotiation::Reader> cmd_vel_;
    std::unique_ptr<negotiation::Reader> others_tf_;
    std::unique_ptr<negotiation::Reader> others_tf_static_;
    std::optional<Pose> used_frame_{};
    std::optional<Instant> missing_since_{};
    std::unique_ptr<Timer> odometry_timer_;
    Instant odometry_due_{};
    StrandEvent telemetry_buffer_event_;
    bool is_started_ = false;
    double stamp_ = 0;           ///< of the latest round
    double odometry_stamp_ = 0;  ///< of the latest message on odom
    std::shared_ptr<const motion::LidarScan> last_scan_;
    Instant scanned_at_{};
    Instant mapped_at_ = Instant::min();
    Pose odom_in_map_{};

    std::set<negotiation::PeerId> drivers_;
    std::optional<std::uint64_t> session_{};  ///< shared by all drivers
    motion::MotionCommand driven_{};
    std::optional<Movement> next_{};  ///< arrived while the previous one is not answered
    bool asks_ = false;
    std::string complaint_;  ///< last logged
    StallTimer stalls_;
    WeakSelf<RobotRos> self_{*this};
};

}  // namespace caribou::robot
