#include "robot/robot_ros.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "link/command_movement.hpp"
#include "loop/due_again.hpp"
#include "msg/geometry_msgs/twist_stamped.hpp"
#include "msg/rosgraph_msgs/clock.hpp"
#include "msg/tf2_msgs/tf_message.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::robot {
namespace {

std::optional<std::size_t> find_lidar(const motion::BodyPlan& body) {
    const auto found = std::ranges::find(body.sensors, motion::SensorKind::lidar, &motion::SensorPlan::kind);
    if (found == body.sensors.end()) return std::nullopt;
    return static_cast<std::size_t>(found - body.sensors.begin());
}

Result<msg::geometry_msgs::Twist> twist_in(const negotiation::Sample& sample, bool is_stamped) {
    if (is_stamped) {
        auto stamped = negotiation::object_of<msg::geometry_msgs::TwistStamped>(sample);
        if (!stamped) return fail(std::move(stamped.error()));
        return (*stamped)->twist;
    }
    auto twist = negotiation::object_of<msg::geometry_msgs::Twist>(sample);
    if (!twist) return fail(std::move(twist.error()));
    return **twist;
}

bool has_battery(const TelemetryRound& round) {
    return std::ranges::any_of(round.samples, [](const SensorSample& sample) {
        return std::holds_alternative<motion::BatteryReading>(sample.reading);
    });
}

}  // namespace

RobotRos::RobotRos(Strand& strand, negotiation::Transport& transport, RobotBuffers& buffers,
                   const motion::BodyPlan& body, RosSender& sender, Log& log, Hooks hooks, Options options)
    : strand_(strand),
      transport_(transport),
      buffers_(buffers),
      body_(body),
      sender_(sender),
      log_(log),
      hooks_(std::move(hooks)),
      options_(std::move(options)),
      frames_(options_.frames),
      lidar_(find_lidar(body)),
      odometry_timer_(strand.loop().make_timer([this] { on_odometry_due(); })),
      telemetry_buffer_event_(strand, [this] { on_telemetry(); }),
      stalls_(strand.loop()) {
    buffers_.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
    if (options_.name_space == "/") options_.name_space.clear();
}

RobotRos::~RobotRos() = default;

std::unique_ptr<RosOutlet> RobotRos::outlet(std::string_view name, std::string_view type, bool keeps) {
    const bool is_absolute = name.starts_with('/');
    auto made = RosOutlet::open(
        transport_, is_absolute ? std::string(name) : fmt::format("{}/{}", options_.name_space, name),
        std::string(type), keeps);
    if (made) return std::move(*made);
    if (outcome_) outcome_ = fail(std::move(made.error()));
    return nullptr;
}

Result<void> RobotRos::start() {
    scan_ = outlet("scan", "sensor_msgs/msg/LaserScan", false);
    odom_ = outlet("odom", "nav_msgs/msg/Odometry", false);
    if (options_.frames.map_to_odom || options_.frames.odom_to_base)
        tf_ = outlet("tf", "tf2_msgs/msg/TFMessage", false);
    tf_static_ = outlet("tf_static", "tf2_msgs/msg/TFMessage", true);
    if (options_.map) map_ = outlet("map", "nav_msgs/msg/OccupancyGrid", true);
    if (options_.wheel_radius > 0) joints_ = outlet("joint_states", "sensor_msgs/msg/JointState", false);
    battery_ = outlet("battery_state", "sensor_msgs/msg/BatteryState", false);
    if (options_.clock) clock_ = outlet("/clock", "rosgraph_msgs/msg/Clock", false);
    if (!outcome_) return outcome_;
    write_static_transforms();
    if (frames_.needs_others())
        if (auto heard = listen_to_transforms(); !heard) return heard;
    is_started_ = true;
    if (hooks_.report) odometry_timer_->arm(odometry_due_ = strand_.loop().clock().now());
    return options_.cmd_vel ? listen_to_twists() : Result<void>();
}

Result<void> RobotRos::listen_to_twists() {
    const std::string type =
        options_.stamped_cmd_vel ? "geometry_msgs/msg/TwistStamped" : "geometry_msgs/msg/Twist";
    auto reader = transport_.subscribe({options_.name_space + "/cmd_vel", type},
                                       {.reliability = negotiation::Reliability::best_effort}, *this);
    if (!reader) return fail(std::move(reader.error()));
    cmd_vel_ = std::move(*reader);
    return {};
}

void RobotRos::write_static_transforms() {
    const double now = strand_.loop().clock().unix_seconds();
    const RosFrames::Options& frames = options_.frames;
    msg::tf2_msgs::TFMessage message;
    const auto add = [&](const std::string& frame, const Pose& pose) {
        message.transforms.push_back(ros_transform(now, frames.base, frame, pose));
    };
    if (lidar_) add(frames.laser, body_.sensors[*lidar_].pose);
    for (const motion::SensorPlan& sensor : body_.sensors)
        if (is_ros_range(sensor.kind)) add(frames.of_sensor(sensor.name), sensor.pose);
    if (!message.transforms.empty()) tf_static_->write(std::move(message), now);
}

Result<void> RobotRos::listen_to_transforms() {
    const std::string type = "tf2_msgs/msg/TFMessage";
    auto moving =
        transport_.subscribe({options_.name_space + "/tf", type},
                             {.reliability = negotiation::Reliability::best_effort}, transform_ear_);
    if (!moving) return fail(std::move(moving.error()));
    others_tf_ = std::move(*moving);
    auto fixed =
        transport_.subscribe({options_.name_space + "/tf_static", type},
                             {.durability = negotiation::Durability::transient_local}, transform_ear_);
    if (!fixed) return fail(std::move(fixed.error()));
    others_tf_static_ = std::move(*fixed);
    missing_since_ = strand_.loop().clock().now();
    return {};
}

void RobotRos::on_transforms(const negotiation::Peer& writer, const negotiation::Sample& sample) {
    const auto message = negotiation::object_of<msg::tf2_msgs::TFMessage>(sample);
    const RosFrames::Taken taken = message ? frames_.take(**message) : RosFrames::Taken::invalid;
    if (taken == RosFrames::Taken::invalid)
        return complain(fmt::format("tf from {} is ignored: {}", writer.name,
                                    message ? "its numbers are not finite" : message.error().message));
    const auto frame = frames_.odom_in_map();
    if (taken == RosFrames::Taken::none || !frame || frame == used_frame_) return;
    used_frame_ = frame;
    hooks_.use_frame(*frame);
}

void RobotRos::check_others() {
    constexpr Duration patience = std::chrono::seconds(5);
    if (!missing_since_ || strand_.loop().clock().now() < *missing_since_ + patience) return;
    missing_since_.reset();
    if (const std::string missing = frames_.missing(); !missing.empty())
        log_.warning(fmt::format("no node publishes {} on {}/tf, and the robot is configured not to (ros.{})",
                                 missing, options_.name_space,
                                 options_.frames.map_to_odom ? "odom_to_base" : "map_to_odom"));
}

void RobotRos::on_telemetry() {
    std::ignore = telemetry_buffer_event_.take();
    const auto round = buffers_.telemetry_buffer.copy();
    if (!round || !is_started_) return;
    stamp_ = round->summary.stamp;
    if (clock_) clock_->write(msg::rosgraph_msgs::Clock{ros_time(stamp_)}, stamp_);
    check_others();
    tell_scan(*round);
    tell_place(*round);
    if (battery_->is_read() && has_battery(*round))
        battery_->write(ros_battery(stamp_, options_.frames, round->summary.battery), stamp_);
}

void RobotRos::tell_scan(const TelemetryRound& round) {
    if (!lidar_) return;
    const auto* const scan = round.find<std::shared_ptr<const motion::LidarScan>>(*lidar_);
    if (!scan || !*scan || *scan == last_scan_) return;
    const Duration period = last_scan_ ? round.at - scanned_at_ : Duration{};
    last_scan_ = *scan;
    scanned_at_ = round.at;
    if (scan_->is_read())
        scan_->write(ros_scan(stamp_, options_.frames, **scan,
                              {.nearest = options_.nearest, .reach = body_.sensors[*lidar_].reach}, period),
                     stamp_);
}

void RobotRos::tell_place(const TelemetryRound& round) {
    if (round.motion.reason == motion::MotionReason::motion_unknown) return;
    const motion::Odometry& odometry = round.motion.odometry;
    tell_odometry(stamp_, odometry, !hooks_.report);
    const bool with_transforms = tf_ && tf_->is_read();
    // Each scan has a transform of its time.
    if (with_transforms) tell_transforms(stamp_, odometry.pose);
    const bool with_grid = map_ && map_->is_read() &&
                           (mapped_at_ == Instant::min() || round.at - mapped_at_ >= options_.map_period);
    if (!with_grid && !with_transforms) return;
    if (with_grid) mapped_at_ = round.at;
    const auto told = self_.bind([](RobotRos& self, const MapView& view) { self.on_map(view); });
    hooks_.ask_map(with_grid, [&strand = strand_, told](const MapView& view) {
        strand.post_here([told, view] { told(view); });
    });
}

void RobotRos::on_odometry_due() {
    const Instant now = strand_.loop().clock().now();
    odometry_timer_->arm(odometry_due_ = due_again(odometry_due_, options_.odometry_period, now));
    const bool is_read = odom_->is_read() || (tf_ && tf_->is_read()) || (joints_ && joints_->is_read());
    if (!is_read && !frames_.needs_others()) return;
    const motion::MotionReport report = hooks_.report();
    if (report.reason == motion::MotionReason::motion_unknown || report.at == Instant{}) return;
    const double stamp = strand_.loop().clock().unix_seconds();
    motion::Odometry odometry = report.odometry;
    odometry.pose = motion::pose_after(odometry, now - report.at);
    tell_odometry(stamp, odometry, true);
    if (tf_ && tf_->is_read()) tell_transforms(stamp, odometry.pose);
    if (joints_ && joints_->is_read())
        joints_->write(ros_joints(stamp, odometry.rolled, report.measured, options_.wheel_radius), stamp);
}

/// The two sources of odometry overtake each other by less than a period.
void RobotRos::tell_odometry(double stamp, const motion::Odometry& odometry, bool is_due) {
    constexpr double overtaking = 1;  // a longer way back is a change of the clock
    if (stamp <= odometry_stamp_ && stamp > odometry_stamp_ - overtaking) return;
    frames_.note_odometry(stamp, odometry.pose);
    if (!is_due) return;
    odometry_stamp_ = stamp;
    if (odom_->is_read()) odom_->write(ros_odometry(stamp, options_.frames, odometry), stamp);
}

void RobotRos::tell_transforms(double stamp, const Pose& odometry) {
    const RosFrames::Options& frames = options_.frames;
    msg::tf2_msgs::TFMessage message;
    if (const auto odom = frames_.map_to_odom(odom_in_map_))
        message.transforms.push_back(ros_transform(stamp, frames.map, frames.odom, *odom));
    if (frames.odom_to_base)
        message.transforms.push_back(ros_transform(stamp, frames.odom, frames.base, odometry));
    if (!message.transforms.empty()) tf_->write(std::move(message), stamp);
}

void RobotRos::on_map(const MapView& view) {
    odom_in_map_ = frame_between(view.pose, view.odometry);
    if (view.grid) map_->write(ros_map(stamp_, options_.frames, *view.grid), stamp_);
}

void RobotRos::on_sample(const negotiation::Peer& writer, const negotiation::Sample& sample) {
    const auto twist = twist_in(sample, options_.stamped_cmd_vel);
    const auto velocity = twist ? velocity_of(*twist) : std::optional<Velocity>();
    if (velocity) return drive({*velocity, stalls_.received()});
    complain(fmt::format("cmd_vel from {} makes no sense: {}", writer.name,
                         twist ? "its numbers are not finite" : twist.error().message));
}

void RobotRos::complain(std::string why) {
    if (!why.empty() && why != complaint_) log_.warning(why);
    complaint_ = std::move(why);
}

void RobotRos::drive(const Movement& movement) {
    // A repeated halt does not prevent others from driving.
    if (movement.command.is_halt() && driven_.is_halt() && !asks_) return;
    if (asks_) {
        next_ = movement;
        return;
    }
    asks_ = true;
    driven_ = movement.command;
    if (!session_) sender_.set_driving(session_ = buffers_.open_session());
    const auto reply = self_.bind([](RobotRos& self, const link::Answer& answer) { self.on_answer(answer); });
    link::Command command = link::command_for(movement.command);
    command.id = sender_.next_id();
    hooks_.submit(
        {.peer = sender_.peer(link::Role::drive, *session_),
         .command = std::move(command),
         .reply = [&strand = strand_, reply](
                      const link::Answer& answer) { strand.post_here([reply, answer] { reply(answer); }); },
         .given = movement.received});
}

void RobotRos::on_answer(const link::Answer& answer) {
    if (!answer.is_final()) return;
    asks_ = false;
    complain(answer.refusal ? "cmd_vel is refused: " + to_string(answer) : "");
    if (next_) drive(*std::exchange(next_, {}));
}

void RobotRos::on_writer_gone(const negotiation::Peer& writer) {
    drivers_.erase(writer.id);
    if (!drivers_.empty() || !session_) return;
    buffers_.close_session(*std::exchange(session_, {}));
    sender_.set_driving({});
    // Commands of a closed session are not answered.
    asks_ = false;
    next_.reset();
    driven_ = {};
}

}  // namespace caribou::robot
