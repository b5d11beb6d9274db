#include "robot/robot_ros.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "link/command_movement.hpp"
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

bool has_battery(const TelemetryRound& round) {
    return std::ranges::any_of(round.samples, [](const SensorSample& sample) {
        return std::holds_alternative<motion::BatteryReading>(sample.reading);
    });
}

}  // namespace

/// A published topic and its readers.
class RobotRos::Outlet final : public negotiation::WriterEvents {
public:
    void on_reader_joined(const negotiation::Peer& reader) override { readers_.insert(reader.id); }
    void on_reader_gone(const negotiation::Peer& reader) override { readers_.erase(reader.id); }
    bool is_read() const { return !readers_.empty(); }

    template <class Message>
    void write(Message message, double stamp) {
        // If the write fails, the next round is newer anyway.
        std::ignore = writer->write(negotiation::make_sample(
            std::make_shared<const Message>(std::move(message)), WallTime(from_seconds(stamp))));
    }

    std::unique_ptr<negotiation::Writer> writer;

private:
    std::set<negotiation::PeerId> readers_;
};

RobotRos::RobotRos(Strand& strand, negotiation::Transport& transport, RobotBuffers& buffers,
                   const motion::BodyPlan& body, Log& log, Submit submit, AskMap ask_map, Options options)
    : strand_(strand),
      transport_(transport),
      buffers_(buffers),
      body_(body),
      log_(log),
      submit_(std::move(submit)),
      ask_map_(std::move(ask_map)),
      options_(std::move(options)),
      lidar_(find_lidar(body)),
      telemetry_buffer_event_(strand, [this] { on_telemetry(); }),
      stalls_(strand.loop()) {
    buffers_.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
    if (options_.name_space == "/") options_.name_space.clear();
}

RobotRos::~RobotRos() = default;

std::unique_ptr<RobotRos::Outlet> RobotRos::outlet(std::string_view name, std::string_view type, bool keeps) {
    auto made = std::make_unique<Outlet>();
    const auto durability =
        keeps ? negotiation::Durability::transient_local : negotiation::Durability::volatile_;
    auto writer = transport_.advertise({fmt::format("{}/{}", options_.name_space, name), std::string(type)},
                                       {.durability = durability, .depth = 1}, *made);
    if (writer)
        made->writer = std::move(*writer);
    else if (outcome_)
        outcome_ = fail(std::move(writer.error()));
    return made;
}

Result<void> RobotRos::start() {
    scan_ = outlet("scan", "sensor_msgs/msg/LaserScan", false);
    odom_ = outlet("odom", "nav_msgs/msg/Odometry", false);
    tf_ = outlet("tf", "tf2_msgs/msg/TFMessage", false);
    tf_static_ = outlet("tf_static", "tf2_msgs/msg/TFMessage", true);
    map_ = outlet("map", "nav_msgs/msg/OccupancyGrid", true);
    battery_ = outlet("battery_state", "sensor_msgs/msg/BatteryState", false);
    clock_ = outlet("clock", "rosgraph_msgs/msg/Clock", false);
    if (!outcome_) return outcome_;
    if (lidar_) {
        const double now = strand_.loop().clock().unix_seconds();
        tf_static_->write(msg::tf2_msgs::TFMessage{{ros_transform(now, frame::base, frame::laser,
                                                                  body_.sensors[*lidar_].pose)}},
                          now);
    }
    if (!options_.cmd_vel) return {};
    auto reader = transport_.subscribe({options_.name_space + "/cmd_vel", "geometry_msgs/msg/Twist"},
                                       {.reliability = negotiation::Reliability::best_effort}, *this);
    if (!reader) return fail(std::move(reader.error()));
    cmd_vel_ = std::move(*reader);
    return {};
}

void RobotRos::on_telemetry() {
    std::ignore = telemetry_buffer_event_.take();
    const auto round = buffers_.telemetry_buffer.copy();
    if (!round || !clock_) return;
    stamp_ = round->summary.stamp;
    clock_->write(msg::rosgraph_msgs::Clock{ros_time(stamp_)}, stamp_);
    tell_scan(*round);
    tell_place(*round);
    if (battery_->is_read() && has_battery(*round))
        battery_->write(ros_battery(stamp_, round->summary.battery), stamp_);
}

void RobotRos::tell_scan(const TelemetryRound& round) {
    if (!lidar_) return;
    const auto* const scan = round.find<std::shared_ptr<const motion::LidarScan>>(*lidar_);
    if (!scan || !*scan || *scan == last_scan_) return;
    const Duration period = last_scan_ ? round.at - scanned_at_ : Duration{};
    last_scan_ = *scan;
    scanned_at_ = round.at;
    if (scan_->is_read())
        scan_->write(ros_scan(stamp_, **scan, body_.sensors[*lidar_].reach, period), stamp_);
}

void RobotRos::tell_place(const TelemetryRound& round) {
    if (round.motion.reason == motion::MotionReason::motion_unknown) return;
    const motion::Odometry& odometry = round.motion.odometry;
    if (odom_->is_read()) odom_->write(ros_odometry(stamp_, odometry), stamp_);
    if (tf_->is_read())
        tf_->write(msg::tf2_msgs::TFMessage{{ros_transform(stamp_, frame::map, frame::odom, odom_in_map_),
                                             ros_transform(stamp_, frame::odom, frame::base, odometry.pose)}},
                   stamp_);
    const bool with_grid =
        map_->is_read() && (mapped_at_ == Instant::min() || round.at - mapped_at_ >= options_.map_period);
    if (!with_grid && !tf_->is_read()) return;
    if (with_grid) mapped_at_ = round.at;
    const auto told = self_.bind([](RobotRos& self, const MapView& view) { self.on_map(view); });
    ask_map_(with_grid, [&strand = strand_, told](const MapView& view) {
        strand.post_here([told, view] { told(view); });
    });
}

void RobotRos::on_map(const MapView& view) {
    odom_in_map_ = frame_between(view.pose, view.odometry);
    if (view.grid) map_->write(ros_map(stamp_, *view.grid), stamp_);
}

void RobotRos::on_sample(const negotiation::Peer& writer, const negotiation::Sample& sample) {
    const auto twist = negotiation::object_of<msg::geometry_msgs::Twist>(sample);
    const auto velocity = twist ? velocity_of(**twist) : std::optional<Velocity>();
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
    if (!session_) session_ = buffers_.open_session();
    const auto reply = self_.bind([](RobotRos& self, const link::Answer& answer) { self.on_answer(answer); });
    link::Command command = link::command_for(movement.command);
    command.id = {++last_id_};
    submit_(
        {.peer = {.name = "ros", .role = link::Role::drive, .session = *session_},
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
    // Commands of a closed session are not answered.
    asks_ = false;
    next_.reset();
    driven_ = {};
}

}  // namespace caribou::robot
