#include "devices/create2_base.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;
using create2::Mode;
using create2::Opcode;
using motion::SensorKind;
using motion::SensorReading;
namespace packet = create2::packet;

constexpr double degree = std::numbers::pi / 180.0;
constexpr double hull = 0.17425;      ///< m
constexpr double most_speed = 0.5;    ///< m/s
constexpr int counts_per_frame = 40;  ///< more than the wheels can turn in a period
constexpr Duration after_start = 100ms;
constexpr Duration stream_limit = 500ms;  ///< to the request of a stream
constexpr Duration pulse_time = 200ms;
constexpr Duration wake_time = 1s;
constexpr Duration mode_pause = 100ms;  ///< for the robot to change its mode
constexpr Duration undock_time = 500ms;
constexpr Duration awake_period = 60s;
constexpr Duration awake_pulse = 1s;

constexpr std::array<std::uint8_t, 17> streamed = {
    packet::bumps,       packet::cliff_left,   packet::cliff_front_left, packet::cliff_front_right,
    packet::cliff_right, packet::beam,         packet::charging_state,   packet::voltage,
    packet::current,     packet::charge,       packet::capacity,         packet::charging_sources,
    packet::mode,        packet::encoder_left, packet::encoder_right,    packet::beam_left,
    packet::beam_right};

enum Sensor : std::size_t {
    encoder_right,
    encoder_left,
    bumper_left,
    bumper_right,
    cliff_left,
    cliff_front_left,
    cliff_front_right,
    cliff_right,
    wheel_drop_front,
    wheel_drop_rear,
    battery,
    charger,
};

Pose on_hull(double degrees) {
    const double heading = degrees * degree;
    return {hull * std::cos(heading), hull * std::sin(heading), heading};
}

motion::BodyPlan create2_plan() {
    motion::BodyPlan plan{
        .radius = 0.175, .wheel_base = 0.235, .metres_per_tick = 0.000444565, .max_speed = most_speed};
    const auto add = [&](const char* name, SensorKind kind, Pose pose, bool required) {
        plan.sensors.push_back({.name = name, .kind = kind, .pose = pose, .required = required});
    };
    // In the order of Sensor.
    add("encoder_right", SensorKind::encoder_right, {}, true);
    add("encoder_left", SensorKind::encoder_left, {}, true);
    add("bumper_left", SensorKind::bumper, on_hull(30), true);
    add("bumper_right", SensorKind::bumper, on_hull(-30), true);
    add("cliff_left", SensorKind::cliff, on_hull(55), true);
    add("cliff_front_left", SensorKind::cliff, on_hull(15), true);
    add("cliff_front_right", SensorKind::cliff, on_hull(-15), true);
    add("cliff_right", SensorKind::cliff, on_hull(-55), true);
    // Both say that a wheel hangs, so that the robot moves in neither direction.
    add("wheel_drop_front", SensorKind::cliff, on_hull(0), true);
    add("wheel_drop_rear", SensorKind::cliff, on_hull(180), true);
    add("battery", SensorKind::battery, {}, false);
    add("charger", SensorKind::charger, {}, false);
    return plan;
}

/// mm/s, never more than was ordered.
int whole_speed(double speed) {
    return static_cast<int>(std::trunc(std::clamp(speed, -most_speed, most_speed) * 1000.0));
}

}  // namespace

Create2Base::Create2Base(DevicePort& port, Log& log) : port_(port), log_(log), plan_(create2_plan()) {}

void Create2Base::begin(Instant now) {
    port_.set_lines(true, false);
    port_.discard_input();
    kept_awake_ = now;
    enter(Phase::starting, now);
}

void Create2Base::enter(Phase phase, Instant now) {
    phase_ = phase;
    phase_since_ = now;
    if (phase == Phase::starting) {
        port_.set_lines(true, false);
        port_.write(create2::command(Opcode::start));
    }
    if (phase == Phase::streaming) port_.write(create2::stream(streamed));
    // A sleeping robot ignores its serial port, and wakes by a pulse on its line BRC, which is on RTS.
    if (phase == Phase::pulsing) port_.set_lines(true, true);
    if (phase == Phase::waking) port_.set_lines(true, false);
}

void Create2Base::tick(Instant now) {
    if (heard_) {
        if (now - *heard_ > silence_limit)
            trouble_ = fmt::format("the Create 2 is silent for more than {} ms", silence_limit / 1ms);
        keep_awake(now);
        return;
    }
    const Duration time = now - phase_since_;
    if (phase_ == Phase::starting && time >= after_start)
        enter(Phase::streaming, now);
    else if (phase_ == Phase::streaming && time >= stream_limit)
        enter(Phase::pulsing, now);
    else if (phase_ == Phase::pulsing && time >= pulse_time)
        enter(Phase::waking, now);
    else if (phase_ == Phase::waking && time >= wake_time)
        enter(Phase::starting, now);
}

/// In passive mode the robot falls asleep after five minutes.
void Create2Base::keep_awake(Instant now) {
    if (enabled_ || now - kept_awake_ < awake_period) return;
    const bool is_over = now - kept_awake_ >= awake_period + awake_pulse;
    port_.set_lines(true, !is_over);
    if (is_over) kept_awake_ = now;
}

void Create2Base::on_bytes(ByteView bytes, Instant now) {
    reader_.add(bytes);
    // Frames of an earlier stream may lack a packet.
    while (const auto values = reader_.next())
        if (std::ranges::all_of(streamed, [&](std::uint8_t each) { return values->has(each); }))
            take(*values, now);
}

void Create2Base::take(const create2::Values& values, Instant now) {
    // No mode but passive was asked for yet.
    if (!heard_) mode_offset_ = values.at(packet::mode) > static_cast<int>(Mode::passive) ? 1 : 0;
    if (values.at(packet::mode) > static_cast<int>(Mode::full)) mode_offset_ = 1;
    values_ = values;
    mode_ = static_cast<Mode>(std::clamp(values.at(packet::mode) - mode_offset_, 0, 3));
    count(now);
    heard_ = now;
    if (is_on_dock()) docked_ = now;
    report_beams(values);
    follow_mode(now);
}

void Create2Base::count(Instant now) {
    const Duration gap = heard_ ? now - *heard_ : sensor_period;
    const auto periods = static_cast<int>(gap / sensor_period) + 2;
    const bool counted = left_.take(values_.at(packet::encoder_left), periods * counts_per_frame) &&
                         right_.take(values_.at(packet::encoder_right), periods * counts_per_frame);
    if (!counted) log_.warning("an encoder of the Create 2 has jumped; the step is not counted");
}

void Create2Base::follow_mode(Instant now) {
    const Mode wanted = wanted_mode(now);
    if (mode_ == wanted) {
        if (takes_orders() && !std::exchange(lights_shown_, true)) show_lights();
        return;
    }
    lights_shown_ = false;
    if (now - mode_asked_ < mode_pause) return;
    mode_asked_ = now;
    port_.write(create2::command(wanted == Mode::passive ? Opcode::start
                                 : wanted == Mode::safe  ? Opcode::safe
                                                         : Opcode::full));
}

Mode Create2Base::wanted_mode(Instant now) const {
    if (!enabled_) return Mode::passive;
    if (is_on_dock()) return moves() ? Mode::full : Mode::passive;
    const bool leaves_dock = docked_ && now - *docked_ < undock_time && moves();
    return leaves_dock ? Mode::full : Mode::safe;
}

bool Create2Base::is_lifted() const { return (values_.at(packet::bumps) & 0x0c) != 0; }

bool Create2Base::takes_orders() const {
    return enabled_ && trouble_.empty() && (mode_ == Mode::safe || mode_ == Mode::full) && !is_lifted();
}

void Create2Base::enable(bool enabled) {
    enabled_ = enabled;
    if (enabled) return;
    drive({});
    // At once, and again until the robot reports it.
    port_.write(create2::command(Opcode::start));
}

void Create2Base::drive(motion::WheelSpeeds speeds) {
    ordered_ = enabled_ ? speeds : motion::WheelSpeeds{};
    const motion::WheelSpeeds now = takes_orders() ? ordered_ : motion::WheelSpeeds{};
    port_.write(create2::drive_direct(whole_speed(now.right), whole_speed(now.left)));
}

void Create2Base::end() {
    ordered_ = {};
    enabled_ = false;
    port_.write(create2::drive_direct(0, 0));
    port_.write(create2::command(Opcode::start));
}

Bytes Create2Base::stop_frame() const {
    // Zeros end a command that was begun; no command has the number zero. Then the wheels stop, and passive
    // mode, in which no motor turns.
    Bytes frame(4, std::byte{0});
    append(frame, create2::drive_direct(0, 0));
    append(frame, create2::command(Opcode::start));
    return frame;
}

void Create2Base::set_lights(motion::BodyLights lights) {
    lights_ = lights;
    if (takes_orders()) show_lights();
}

void Create2Base::show_lights() {
    constexpr std::uint8_t bright = 255;
    switch (lights_) {
        case motion::BodyLights::off:
        case motion::BodyLights::asleep: return port_.write(create2::clean_light(0, 0));
        case motion::BodyLights::awake: return port_.write(create2::clean_light(0, bright));
        case motion::BodyLights::driven: return port_.write(create2::clean_light(128, bright));
        case motion::BodyLights::alarm: return port_.write(create2::clean_light(255, bright));
    }
}

void Create2Base::report_beams(const create2::Values& values) {
    create2::DockBeams seen;
    for (const std::uint8_t receiver : {packet::beam, packet::beam_left, packet::beam_right}) {
        const create2::DockBeams one = create2::dock_beams(values.at(receiver));
        seen = {.force_field = seen.force_field || one.force_field,
                .green = seen.green || one.green,
                .red = seen.red || one.red};
    }
    // The receivers flicker: only the first sight is reported.
    const bool is_first = beams_ == create2::DockBeams{} && seen != create2::DockBeams{};
    beams_ = seen;
    if (is_first)
        log_.debug(fmt::format("sees the dock: {}{}{}", seen.green ? "green beam " : "",
                               seen.red ? "red beam " : "", seen.force_field ? "force field" : ""));
}

SensorReading Create2Base::read(std::size_t sensor) const {
    if (!heard_ || !trouble_.empty()) return motion::NoReading{};
    const int bumps = values_.at(packet::bumps);
    switch (sensor) {
        case encoder_right: return right_.count();
        case encoder_left: return left_.count();
        case bumper_left: return (bumps & 2) != 0;
        case bumper_right: return (bumps & 1) != 0;
        case cliff_left: return values_.at(packet::cliff_left) != 0;
        case cliff_front_left: return values_.at(packet::cliff_front_left) != 0;
        case cliff_front_right: return values_.at(packet::cliff_front_right) != 0;
        case cliff_right: return values_.at(packet::cliff_right) != 0;
        case wheel_drop_front:
        case wheel_drop_rear: return is_lifted();
        case battery: {
            const int capacity = values_.at(packet::capacity);
            if (capacity <= 0) return motion::NoReading{};
            const double level = double(values_.at(packet::charge)) / capacity;
            return motion::BatteryReading{.level = std::clamp(level, 0.0, 1.0),
                                          .volts = values_.at(packet::voltage) / 1000.0,
                                          .amperes = values_.at(packet::current) / 1000.0};
        }
        case charger: {
            const int state = values_.at(packet::charging_state);
            const bool charges = state >= 1 && state <= 3;
            return motion::ChargerReading{
                .contact = is_on_dock(),
                .amperes = charges ? std::max(0, values_.at(packet::current)) / 1000.0 : 0.0};
        }
        default: return motion::NoReading{};
    }
}

}  // namespace caribou::devices
