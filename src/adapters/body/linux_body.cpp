#include "adapters/body/linux_body.hpp"

#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace caribou {
namespace {

std::string_view word_of(motion::BodyLights lights) {
    constexpr std::array<std::string_view, 5> words = {"off", "asleep", "awake", "driven", "alarm"};
    return words.at(static_cast<std::size_t>(lights));
}

}  // namespace

Result<std::unique_ptr<LinuxBody>> LinuxBody::open(robot::Wiring settings, std::unique_ptr<GpioLines> gpio,
                                                   const Clock& clock, Log& log) {
    if (auto off = gpio->set(settings.enable_line, false); !off) return fail(std::move(off.error()));
    auto right = SysfsPwm::open(settings.right.pwm_chip, settings.right.pwm_channel, settings.pwm_period);
    if (!right) return fail(std::move(right.error()));
    auto left = SysfsPwm::open(settings.left.pwm_chip, settings.left.pwm_channel, settings.pwm_period);
    if (!left) return fail(std::move(left.error()));
    std::unique_ptr<LinuxBody> body(
        new LinuxBody(std::move(settings), std::move(gpio), clock, log, std::move(*right), std::move(*left)));
    auto serial = SerialPort::open(
        body->settings_.serial, body->settings_.baud,
        [here = body.get()](std::string_view bytes) { here->hear(bytes); }, log);
    if (!serial) return fail(std::move(serial.error()));
    body->serial_ = std::move(*serial);
    return body;
}

LinuxBody::LinuxBody(robot::Wiring settings, std::unique_ptr<GpioLines> gpio, const Clock& clock, Log& log,
                     SysfsPwm right, SysfsPwm left)
    : settings_(std::move(settings)),
      gpio_(std::move(gpio)),
      clock_(clock),
      log_(log),
      right_{settings_.right, std::move(right)},
      left_{settings_.left, std::move(left)} {
    if (settings_.emergency_line) {
        emergency_sensor_ = settings_.plan.sensors.size();
        settings_.plan.sensors.push_back({.name = std::string(emergency_name),
                                          .kind = motion::SensorKind::emergency_stop,
                                          .required = true});
    }
    heard_.resize(settings_.plan.sensors.size());
}

LinuxBody::~LinuxBody() {
    if (const auto cut = cut_motors(); !cut) log_.error(cut.error().message);
}

void LinuxBody::hear(std::string_view bytes) {
    lines_.feed(bytes, [this](std::string_view line) {
        auto said = devices::parse_sensor_line(line, settings_.plan);
        if (!said) return log_.debug(fmt::format("{}: {}", settings_.serial, said.error().message));
        if (said->sensor == emergency_sensor_) return;  // the GPIO line has precedence over the board
        const std::lock_guard lock(mutex_);
        heard_[said->sensor] = {std::move(said->reading), clock_.now()};
    });
}

motion::SensorReading LinuxBody::read(std::size_t sensor) {
    if (sensor == emergency_sensor_) return emergency_input();
    const std::lock_guard lock(mutex_);
    const Heard& heard = heard_.at(sensor);
    if (clock_.now() - heard.at > settings_.stale_after) return motion::NoReading{};
    return heard.reading;
}

motion::SensorReading LinuxBody::emergency_input() {
    const auto closed = gpio_->get(*settings_.emergency_line);
    return closed ? motion::SensorReading(!*closed) : motion::SensorReading(motion::NoReading{});
}

Result<void> LinuxBody::enable_motors(bool enabled) {
    const std::lock_guard lock(mutex_);
    const unsigned cuts = cuts_;
    // Disabling pulls the line first. In both cases the duty is zero before the next drive().
    const Result<void> off = enabled ? Result<void>() : cut_motors();
    for (Motor* const motor : {&right_, &left_})
        if (auto stopped = turn(*motor, 0.0); !stopped) return stopped;
    if (!enabled) return off;
    if (auto on = gpio_->set(settings_.enable_line, true); !on) return on;
    trouble_.clear();
    enabled_ = true;
    if (cuts_ == cuts) return {};
    if (auto cut = cut_motors(); !cut) return cut;
    return fail(Code::wrong_state, "the motors were cut while they were being enabled");
}

void LinuxBody::drive(motion::WheelSpeeds speeds) {
    const std::lock_guard lock(mutex_);
    if (!enabled_) return;
    const auto right = turn(right_, speeds.right);
    const auto left = turn(left_, speeds.left);
    if (right && left) return;
    trouble_ = (right ? left : right).error().message;
    if (const auto cut = cut_motors(); !cut) trouble_ += "; " + cut.error().message;
}

Result<void> LinuxBody::turn(Motor& motor, double speed) {
    const bool back = (speed < 0.0) != motor.settings.reversed;
    if (speed != 0.0)
        if (auto set = gpio_->set(motor.settings.direction_line, back); !set) return set;
    return motor.pwm.set(std::abs(speed) / motor.settings.full_speed);
}

Result<void> LinuxBody::cut_motors() {
    ++cuts_;
    enabled_ = false;
    const auto unconfirmed = [this](std::string_view why) {
        return fail(Code::io, fmt::format("the enable line {} of the motors is not confirmed to be low: {}",
                                          settings_.enable_line, why));
    };
    const auto set = gpio_->set(settings_.enable_line, false);
    const auto high = gpio_->get(settings_.enable_line);
    if (!set) return unconfirmed(set.error().message);
    if (!high) return unconfirmed(high.error().message);
    if (*high) return unconfirmed("it reads back as high");
    return {};
}

std::string LinuxBody::motor_fault() {
    if (settings_.fault_line) {
        const auto good = gpio_->get(*settings_.fault_line);
        if (!good) return good.error().message;
        if (!*good) return "the driver of the motors reports a fault";
    }
    const std::lock_guard lock(mutex_);
    return trouble_;
}

Result<void> LinuxBody::set_power(std::size_t sensor, bool on) {
    const motion::SensorPlan& part = settings_.plan.sensors.at(sensor);
    if (!part.can_power_down) return fail(Code::refused, fmt::format("{} cannot be powered down", part.name));
    return serial_->write(devices::sensor_line(fmt::format("power {} {}", part.name, on ? 1 : 0)));
}

void LinuxBody::set_lights(motion::BodyLights lights) {
    // An error of the lights is not reported.
    std::ignore = serial_->write(devices::sensor_line(fmt::format("lights {}", word_of(lights))));
}

std::vector<motion::PartCheck> LinuxBody::self_check() {
    std::vector<motion::PartCheck> checks = {{"motors", true, {}}};
    if (const std::string complaint = motor_fault(); !complaint.empty())
        checks.front().outcome = fail(Code::unavailable, complaint);
    for (std::size_t i = 0; i < settings_.plan.sensors.size(); ++i) {
        const motion::SensorPlan& sensor = settings_.plan.sensors[i];
        motion::PartCheck check{sensor.name, sensor.required, {}};
        if (std::holds_alternative<motion::NoReading>(read(i)))
            check.outcome = fail(Code::unavailable, fmt::format("{} gives no reading; is its board on {}?",
                                                                sensor.name, settings_.serial));
        checks.push_back(std::move(check));
    }
    return checks;
}

}  // namespace caribou
