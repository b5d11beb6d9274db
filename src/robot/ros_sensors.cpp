#include "robot/ros_sensors.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "robot/ros_messages.hpp"

namespace caribou::robot {
namespace {

constexpr Duration diagnosis_period = std::chrono::seconds(1);

}  // namespace

RosSensors::RosSensors(Strand& strand, negotiation::Transport& transport, RobotBuffers& buffers,
                       const motion::BodyPlan& body, Options options)
    : transport_(transport),
      buffers_(buffers),
      body_(body),
      options_(std::move(options)),
      telemetry_buffer_event_(strand, [this] { on_telemetry(); }) {
    buffers_.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
    if (options_.name_space == "/") options_.name_space.clear();
}

Result<std::unique_ptr<RosOutlet>> RosSensors::outlet(const std::string& name, const std::string& type) {
    return RosOutlet::open(transport_, fmt::format("{}/{}", options_.name_space, name), type, false);
}

Result<void> RosSensors::start() {
    for (std::size_t i = 0; i < body_.sensors.size(); ++i) {
        const motion::SensorPlan& sensor = body_.sensors[i];
        const bool is_imu = sensor.kind == motion::SensorKind::imu && !imu_;
        if (!is_imu && !is_ros_range(sensor.kind)) continue;
        auto made = is_imu ? outlet("imu", "sensor_msgs/msg/Imu")
                           : outlet("range/" + sensor.name, "sensor_msgs/msg/Range");
        if (!made) return fail(std::move(made.error()));
        if (is_imu)
            imu_ = std::move(*made);
        else
            ranges_.push_back({i, std::move(*made)});
    }
    auto made = outlet("diagnostics", "diagnostic_msgs/msg/DiagnosticArray");
    if (!made) return fail(std::move(made.error()));
    diagnostics_ = std::move(*made);
    return {};
}

void RosSensors::on_telemetry() {
    std::ignore = telemetry_buffer_event_.take();
    const auto round = buffers_.telemetry_buffer.copy();
    if (!round || !diagnostics_) return;
    const double stamp = round->summary.stamp;
    if (imu_ && imu_->is_read())
        for (const SensorSample& sample : round->samples)
            if (const auto* const reading = std::get_if<motion::ImuReading>(&sample.reading))
                imu_->write(ros_imu(stamp, options_.frames, *reading), stamp);
    for (const RangeOutlet& range : ranges_) {
        const SensorSample* const sample = range.outlet->is_read() ? round->sample_of(range.sensor) : nullptr;
        if (!sample) continue;
        if (auto message = ros_range(stamp, options_.frames, body_.sensors[range.sensor], sample->reading))
            range.outlet->write(std::move(*message), stamp);
    }
    if (!diagnostics_->is_read() ||
        (diagnosed_at_ != Instant::min() && round->at < diagnosed_at_ + diagnosis_period))
        return;
    diagnosed_at_ = round->at;
    diagnostics_->write(ros_diagnostics(stamp, options_.robot, *round), stamp);
}

}  // namespace caribou::robot
