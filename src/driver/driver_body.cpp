#include "driver/driver_body.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"
#include "driver/frame_checks.hpp"
#include "loop/duration_text.hpp"

namespace caribou::driver {
namespace {

using motion::NoReading;
using motion::SensorKind;
using motion::SensorReading;

/// The socket is read at most once in this time, however many sensors are asked.
constexpr Duration poll_pause = std::chrono::microseconds(500);

SensorReading switch_reading(std::uint8_t value) {
    if (value == State::NO_READING) return NoReading{};
    return value == State::SET;
}

template <class T>
SensorReading pointer_reading(const std::shared_ptr<const T>& value) {
    return value ? SensorReading(value) : SensorReading(NoReading{});
}

}  // namespace

Result<bool> DriverBody::Greeting::poll() {
    if (!line_) {
        line_ = inlet_.take();
        if (!line_) return false;
        session_ = std::make_unique<DriverSession>(*line_, clock_.now());
    }
    session_->poll(clock_.now());
    if (!session_->fault().empty()) return fail(Code::unavailable, session_->fault());
    if (!session_->hello() || !session_->state()) return false;
    if (!introduced_) introduced_ = clock_.now();
    return has_first_readings() || clock_.now() - *introduced_ >= first_readings;
}

bool DriverBody::Greeting::has_first_readings() const {
    return std::ranges::all_of(plan_of(*session_->hello()).sensors, [this](const motion::SensorPlan& sensor) {
        if (sensor.kind == SensorKind::lidar) return session_->scan() != nullptr;
        return sensor.kind != SensorKind::eyes || session_->sights() != nullptr;
    });
}

DriverBody::DriverBody(Greeting greeting, Log& log)
    : inlet_(greeting.inlet_),
      clock_(greeting.clock_),
      log_(log),
      line_(std::move(greeting.line_)),
      session_(std::move(greeting.session_)) {
    check(session_ && session_->hello(), "a driver's body begins with a complete greeting");
    hello_ = *session_->hello();
    plan_ = plan_of(hello_);
    std::size_t switches = 0;
    std::size_t ranges = 0;
    for (const motion::SensorPlan& sensor : plan_.sensors) {
        if (is_switch(sensor.kind))
            places_.push_back({.index = switches++});
        else
            places_.push_back({.index = sensor.kind == SensorKind::range ? ranges++ : 0});
        // The driver may be late with the next state.
        if (sensor.kind == SensorKind::emergency_stop)
            places_.back().last = reading_of(places_.size() - 1, *session_->state());
    }
    current_ = line_.get();
    welcome();
}

DriverBody::~DriverBody() {
    session_->send(Bye{"the robot ends"});
    line_->end();
}

/// Accepts the hello of the present session.
void DriverBody::welcome() {
    welcomed_ = true;
    rebase_ticks_ = true;
    session_->on_log([this](const LogLine& line) { log(line); });
    if (hello_.lights) session_->send(Lights{static_cast<std::uint8_t>(lights_)});
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (!places_[i].powered) session_->send(Power{static_cast<std::uint8_t>(i), false});
}

void DriverBody::log(const LogLine& line) {
    constexpr std::array levels = {Level::debug, Level::info, Level::warning, Level::error};
    report_dropped(clock_.now());
    if (log_lines_ >= DriverLimits::log_lines_per_second) {
        ++dropped_lines_;
        return;
    }
    ++log_lines_;
    log_.write(levels.at(std::min<std::size_t>(line.level, levels.size() - 1)),
               fmt::format("driver {}: {}", hello_.name, line.text));
}

void DriverBody::report_dropped(Instant now) {
    if (now - log_window_ < std::chrono::seconds(1)) return;
    log_window_ = now;
    log_lines_ = 0;
    if (const std::size_t dropped = std::exchange(dropped_lines_, 0); dropped > 0)
        log_.warning(fmt::format("driver {}: {} lines were dropped; it logs more than {} per second",
                                 hello_.name, dropped, DriverLimits::log_lines_per_second));
}

void DriverBody::adopt(std::unique_ptr<DriverLine> line, Instant now) {
    session_ = std::make_unique<DriverSession>(*line, now);
    std::swap(line_, line);
    current_ = line_.get();
    sent_.reset();
    cuts_seen_ = cuts_;
    enabled_ = false;
    welcomed_ = false;
    reported_ = false;
    line->end();
    retired_.push_back(std::move(line));
}

void DriverBody::refresh() {
    const Instant now = clock_.now();
    if (polled_ && now - *polled_ < poll_pause && cuts_seen_ == cuts_) return;
    polled_ = now;
    // A cut that begins after current_ was replaced uses the new line.
    if (cutting_ == 0) retired_.clear();
    if (auto line = inlet_.take()) adopt(std::move(line), now);
    if (const unsigned cuts = cuts_; cuts != cuts_seen_) {
        cuts_seen_ = cuts;
        session_->close("the motors were cut");
    }
    watch_session(now);
}

void DriverBody::watch_session(Instant now) {
    session_->poll(now);
    report_dropped(now);
    if (!welcomed_ && session_->fault().empty() && session_->state()) {
        if (*session_->hello() == hello_) {
            welcome();
            log_.info(fmt::format("driver {} is back", hello_.name));
        } else {
            session_->close("its hello differs from the first one; restart the robot");
        }
    }
    if (!session_->fault().empty()) {
        enabled_ = false;
        if (!std::exchange(reported_, true))
            log_.error(fmt::format("driver {}: {}", hello_.name, session_->fault()));
        return;
    }
    const auto& state = session_->state();
    if (!welcomed_ || !state || !state->has_encoders) return;
    if (std::exchange(rebase_ticks_, false))
        offset_ = {last_ticks_.left - state->left_ticks, last_ticks_.right - state->right_ticks};
    last_ticks_ = {state->left_ticks + offset_.left, state->right_ticks + offset_.right};
}

std::string DriverBody::absence() {
    refresh();
    if (!session_->fault().empty()) return fmt::format("driver {}: {}", hello_.name, session_->fault());
    if (!welcomed_) return fmt::format("driver {} is being started", hello_.name);
    if (session_->is_silent(clock_.now()))
        return fmt::format("driver {} is silent for more than {}", hello_.name,
                           duration_text(3 * std::chrono::milliseconds(hello_.period_ms)));
    return {};
}

bool DriverBody::confirms_rest() {
    refresh();
    return session_->confirms_rest();
}

SensorReading DriverBody::read(std::size_t sensor) {
    refresh();
    SensorPlace& place = places_.at(sensor);
    const bool is_absent = !is_live() || session_->is_silent(clock_.now());
    if (plan_.sensors[sensor].kind == SensorKind::emergency_stop) {
        if (!is_absent) place.last = reading_of(sensor, *session_->state());
        return place.last;
    }
    if (is_absent || !place.powered) return NoReading{};
    return reading_of(sensor, *session_->state());
}

SensorReading DriverBody::reading_of(std::size_t sensor, const State& state) const {
    const std::size_t index = places_[sensor].index;
    switch (plan_.sensors[sensor].kind) {
        case SensorKind::encoder_right:
            return state.has_encoders ? SensorReading(last_ticks_.right) : NoReading{};
        case SensorKind::encoder_left:
            return state.has_encoders ? SensorReading(last_ticks_.left) : NoReading{};
        case SensorKind::range: {
            const float distance = state.ranges[index];
            return distance >= 0 ? SensorReading(static_cast<double>(distance)) : NoReading{};
        }
        case SensorKind::lidar: return pointer_reading(session_->scan());
        case SensorKind::bumper:
        case SensorKind::cliff:
        case SensorKind::emergency_stop: return switch_reading(state.switches[index]);
        case SensorKind::imu:
            if (!state.has_imu) return NoReading{};
            return motion::ImuReading{state.yaw_rate, state.acceleration, state.tilt};
        case SensorKind::battery:
            if (!state.has_battery) return NoReading{};
            return motion::BatteryReading{state.level, state.volts, state.amperes};
        case SensorKind::charger:
            if (!state.has_charger) return NoReading{};
            return motion::ChargerReading{state.contact, state.charging_amperes};
        case SensorKind::eyes: return pointer_reading(session_->sights());
    }
    return NoReading{};
}

Result<void> DriverBody::enable_motors(bool enabled) {
    if (const std::string why = absence(); enabled && !why.empty()) return fail(Code::unavailable, why);
    const unsigned cuts = cuts_;
    enabled_ = enabled;
    order({});
    if (cuts != cuts_) {
        enabled_ = false;
        return fail(Code::wrong_state, "the motors were cut while they were being enabled");
    }
    if (!is_live()) return fail(Code::unavailable, absence());
    return {};
}

bool DriverBody::motors_enabled() {
    refresh();
    return enabled_ && is_live();
}

void DriverBody::drive(motion::WheelSpeeds speeds) {
    refresh();
    if (is_live()) order(speeds);
}

void DriverBody::order(motion::WheelSpeeds speeds) {
    const Instant now = clock_.now();
    const SentOrder order{enabled_ ? speeds : motion::WheelSpeeds{}, enabled_};
    if (!is_due(order, now)) return;
    sent_ = order;
    session_->order(order.speeds, order.enabled, now);
}

bool DriverBody::is_due(const SentOrder& order, Instant now) {
    if (!sent_ || now - order_window_ >= DriverLimits::order_window) {
        order_window_ = now;
        orders_in_window_ = 0;
    }
    const bool is_new = order != sent_;
    if (orders_in_window_ > 0 && !is_new) return false;
    if (orders_in_window_ < DriverLimits::orders_per_window) {
        ++orders_in_window_;
        return true;
    }
    const motion::WheelSpeeds rest{};
    return (order.speeds == rest && sent_->speeds != rest) || (!order.enabled && sent_->enabled);
}

Result<void> DriverBody::cut_motors() {
    ++cuts_;
    enabled_ = false;
    ++cutting_;
    DriverLine* const line = current_;
    line->end();
    const bool confirmed = line->has_ended(cut_limit);
    --cutting_;
    if (confirmed) return {};
    return fail(Code::timed_out,
                fmt::format("the driver has not closed its connection within {}; it has to stop "
                            "the wheels and close it when it reads the end",
                            duration_text(cut_limit)));
}

std::string DriverBody::motor_fault() {
    refresh();
    const auto& state = session_->state();
    return is_live() && state ? state->motor_fault : std::string();
}

Result<void> DriverBody::set_power(std::size_t sensor, bool on) {
    const motion::SensorPlan& part = plan_.sensors.at(sensor);
    if (!part.can_power_down) return fail(Code::refused, fmt::format("{} cannot be powered down", part.name));
    places_[sensor].powered = on;
    if (is_live()) session_->send(Power{static_cast<std::uint8_t>(sensor), on});
    return {};
}

void DriverBody::set_lights(motion::BodyLights lights) {
    lights_ = lights;
    if (hello_.lights && is_live()) session_->send(Lights{static_cast<std::uint8_t>(lights)});
}

/// A driver that is silent for a moment is not broken: its last state counts until it is disconnected.
std::vector<motion::PartCheck> DriverBody::self_check() {
    refresh();
    const bool has_state = is_live() && session_->state();
    const std::string trouble = has_state ? motor_fault() : absence();
    std::vector<motion::PartCheck> checks = {{"motors", true, {}}};
    if (!trouble.empty()) checks.front().outcome = fail(Code::unavailable, trouble);
    for (std::size_t i = 0; i < plan_.sensors.size(); ++i) {
        const motion::SensorPlan& sensor = plan_.sensors[i];
        motion::PartCheck part{sensor.name, sensor.required, {}};
        const bool reads = has_state && places_[i].powered &&
                           !std::holds_alternative<NoReading>(reading_of(i, *session_->state()));
        if (!reads) part.outcome = fail(Code::unavailable, fmt::format("{} gives no reading", sensor.name));
        checks.push_back(std::move(part));
    }
    return checks;
}

}  // namespace caribou::driver
