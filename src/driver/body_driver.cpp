#include "driver/body_driver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "driver/limits.hpp"

namespace caribou::driver {
namespace {

using motion::SensorKind;

template <class T>
T reading_or(const motion::SensorReading& reading, T otherwise) {
    const T* const value = std::get_if<T>(&reading);
    return value != nullptr ? *value : otherwise;
}

msg::caribou_driver::Place place_of(const Pose& pose) { return {pose.x, pose.y, pose.heading}; }

std::uint8_t switch_of(const motion::SensorReading& reading) {
    const bool* const value = std::get_if<bool>(&reading);
    if (value == nullptr) return State::NO_READING;
    return *value ? State::SET : State::CLEAR;
}

}  // namespace

Hello hello_of(motion::Body& body, const BodyDriverSettings& settings) {
    const motion::BodyPlan& plan = body.plan();
    Hello hello{.version = protocol_version,
                .name = settings.name,
                .radius = plan.radius,
                .wheel_base = plan.wheel_base,
                .meters_per_tick = plan.metres_per_tick,
                .max_speed = plan.max_speed,
                .period_ms = static_cast<std::uint16_t>(settings.period / std::chrono::milliseconds(1)),
                .stops_without_feed_ms = settings.stops_without_feed_ms,
                .stop_frame = {},
                .lights = true,
                .enable_line = false,
                .sensors = {}};
    for (const std::byte byte : settings.stop_frame)
        hello.stop_frame.push_back(std::to_integer<std::uint8_t>(byte));
    for (const motion::SensorPlan& sensor : plan.sensors)
        hello.sensors.push_back({sensor.name, static_cast<std::uint8_t>(sensor.kind), place_of(sensor.pose),
                                 sensor.reach, sensor.required, sensor.can_power_down});
    return hello;
}

BodyDriver::BodyDriver(motion::Body& body, BodyDriverSettings settings, Send send, OnOrder on_order)
    : body_(body), settings_(std::move(settings)), send_(std::move(send)), on_order_(std::move(on_order)) {}

void BodyDriver::greet(Instant now) {
    // The robot before may have powered sensors down.
    for (std::size_t i = 0; i < body_.plan().sensors.size(); ++i)
        if (body_.plan().sensors[i].can_power_down) std::ignore = body_.set_power(i, true);
    send_(frame_of(hello_of(body_, settings_)));
    send_new_readings();
    send_state(now);
}

Result<void> BodyDriver::on_bytes(ByteView bytes, Instant now) {
    reader_.add(bytes);
    while (!finished_) {
        auto message = reader_.next();
        if (!message) return fail(std::move(message.error()));
        if (!*message) return {};
        if (auto taken = take(**message, now); !taken) return taken;
    }
    return {};
}

Result<void> BodyDriver::take(const DriverMessage& message, Instant now) {
    if (const auto* order = std::get_if<Order>(&message)) {
        if (!std::isfinite(order->left) || !std::isfinite(order->right))
            return fail(Code::malformed, "an order that is not a number");
        carry_out(*order, now);
    } else if (const auto* lights = std::get_if<Lights>(&message)) {
        if (lights->lights > Lights::ALARM) return fail(Code::malformed, "unknown lights");
        body_.set_lights(static_cast<motion::BodyLights>(lights->lights));
    } else if (const auto* power = std::get_if<Power>(&message)) {
        if (power->sensor >= body_.plan().sensors.size())
            return fail(Code::malformed, fmt::format("there is no sensor {}", power->sensor));
        return body_.set_power(power->sensor, power->on);
    } else if (std::holds_alternative<Bye>(message)) {
        finished_ = true;
    } else {
        return fail(Code::malformed, "a frame that only a driver sends");
    }
    return {};
}

void BodyDriver::carry_out(const Order& order, Instant now) {
    // Motors that cannot be enabled are reported as zero ordered, and by the body's motor fault.
    if (order.enabled != body_.motors_enabled()) std::ignore = body_.enable_motors(order.enabled);
    const double most = body_.plan().max_speed;
    ordered_ = {.right = std::clamp(order.right, -most, most), .left = std::clamp(order.left, -most, most)};
    if (!body_.motors_enabled()) ordered_ = {};
    body_.drive(ordered_);
    seq_ = order.seq;
    if (on_order_) on_order_(ordered_, "order");
    send_state(now);
}

void BodyDriver::stop(std::string_view why) {
    ordered_ = {};
    body_.drive({});
    if (!body_.enable_motors(false)) std::ignore = body_.cut_motors();
    if (on_order_) on_order_({}, why);
}

void BodyDriver::tick(Instant now) {
    send_new_readings();
    if (now - state_sent_ >= settings_.period) send_state(now);
}

void BodyDriver::send_state(Instant now) {
    state_sent_ = now;
    State state;
    state.seq = seq_;
    state.time_us = static_cast<std::uint64_t>(now.time_since_epoch() / std::chrono::microseconds(1));
    state.ordered_left = ordered_.left;
    state.ordered_right = ordered_.right;
    state.motor_fault = body_.motor_fault().substr(0, 200);
    const auto& sensors = body_.plan().sensors;
    for (std::size_t i = 0; i < sensors.size(); ++i)
        if (sensors[i].kind != SensorKind::lidar && sensors[i].kind != SensorKind::eyes)
            fill(state, sensors[i], body_.read(i));
    send_(frame_of(state));
}

void BodyDriver::fill(State& state, const motion::SensorPlan& sensor,
                      const motion::SensorReading& reading) const {
    switch (sensor.kind) {
        case SensorKind::encoder_right:
            state.has_encoders = std::holds_alternative<std::int64_t>(reading);
            state.right_ticks = reading_or(reading, std::int64_t{0});
            break;
        case SensorKind::encoder_left:
            state.has_encoders = std::holds_alternative<std::int64_t>(reading);
            state.left_ticks = reading_or(reading, std::int64_t{0});
            break;
        case SensorKind::range:
            state.ranges.push_back(
                static_cast<float>(reading_or(reading, std::numeric_limits<double>::quiet_NaN())));
            break;
        case SensorKind::bumper:
        case SensorKind::cliff:
        case SensorKind::emergency_stop: state.switches.push_back(switch_of(reading)); break;
        case SensorKind::imu:
            if (const auto* imu = std::get_if<motion::ImuReading>(&reading)) {
                state.has_imu = true;
                state.yaw_rate = imu->yaw_rate;
                state.acceleration = imu->acceleration;
                state.tilt = imu->tilt;
            }
            break;
        case SensorKind::battery:
            if (const auto* battery = std::get_if<motion::BatteryReading>(&reading)) {
                state.has_battery = true;
                state.level = battery->level;
                state.volts = battery->volts;
                state.amperes = battery->amperes;
            }
            break;
        case SensorKind::charger:
            if (const auto* charger = std::get_if<motion::ChargerReading>(&reading)) {
                state.has_charger = true;
                state.contact = charger->contact;
                state.charging_amperes = charger->amperes;
            }
            break;
        case SensorKind::lidar:
        case SensorKind::eyes: break;
    }
}

void BodyDriver::send_new_readings() {
    auto scan = reading_of<motion::LidarScan>(SensorKind::lidar);
    if (std::exchange(scan_, scan) != scan) send(scan.get());
    auto sights = reading_of<motion::Sights>(SensorKind::eyes);
    if (std::exchange(sights_, sights) != sights) send(sights.get());
}

template <class T>
std::shared_ptr<const T> BodyDriver::reading_of(SensorKind kind) {
    const auto& sensors = body_.plan().sensors;
    const auto sensor = std::ranges::find(sensors, kind, &motion::SensorPlan::kind);
    if (sensor == sensors.end()) return nullptr;
    const auto reading = body_.read(static_cast<std::size_t>(sensor - sensors.begin()));
    return reading_or(reading, std::shared_ptr<const T>());
}

void BodyDriver::send(const motion::LidarScan* seen) {
    Scan scan;
    if (seen != nullptr) scan = {seen->first_angle, seen->angle_step, seen->ranges};
    send_(frame_of(scan));
}

void BodyDriver::send(const motion::Sights* seen) {
    Sights sights;
    if (seen != nullptr) {
        sights.valid = true;
        constexpr std::size_t most_cubes = 32;
        for (const motion::SeenCube& cube : seen->cubes)
            if (sights.cubes.size() < most_cubes)
                sights.cubes.push_back({.place = place_of(cube.pose), .name = cube.name.substr(0, 32)});
        sights.sees_dock = seen->dock.has_value();
        if (seen->dock) sights.dock = place_of(*seen->dock);
    }
    send_(frame_of(sights));
}

}  // namespace caribou::driver
