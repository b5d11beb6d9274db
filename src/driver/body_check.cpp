#include "driver/body_check.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "driver/frame_checks.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;
using motion::CheckOutcome;

constexpr Duration rate_time = 1s;
constexpr Duration closing_limit = 100ms;  ///< as the watchdog of propulsion
constexpr std::size_t orders_tried = 50;

/// rad, by which the robot turns during the test of the left wheel, if the gyroscope shows it.
constexpr double visible_turn = 0.1;

CheckOutcome passed_if(bool good) { return good ? CheckOutcome::passed : CheckOutcome::failed; }

double ms(Duration time) { return to_seconds(time) * 1000.0; }

}  // namespace

bool have_moved(const State& from, const State& to) {
    return from.left_ticks != to.left_ticks || from.right_ticks != to.right_ticks;
}

bool BodyCheck::good() const {
    return phase_ == Phase::over && std::ranges::none_of(findings_, [](const Finding& finding) {
               return finding.outcome == CheckOutcome::failed;
           });
}

bool BodyCheck::step(Instant now) {
    if (phase_ == Phase::over) return true;
    if (phase_ == Phase::closing) {
        watch_closing(now);
        return phase_ == Phase::over;
    }
    session_.poll(now);
    if (!session_.fault().empty()) {
        next(Phase::over, now, {"driver", CheckOutcome::failed, session_.fault()});
        return true;
    }
    switch (phase_) {
        case Phase::greeting: watch_greeting(now); break;
        case Phase::rate: watch_rate(now); break;
        case Phase::latency: watch_latency(now); break;
        case Phase::contract: watch_contract(now); break;
        case Phase::turning: watch_turning(now); break;
        case Phase::left_turning: watch_left_turning(now); break;
        case Phase::own_stop: watch_own_stop(now); break;
        case Phase::closing:
        case Phase::over: break;
    }
    return phase_ == Phase::over;
}

void BodyCheck::next(Phase phase, Instant now, Finding finding) {
    findings_.push_back(std::move(finding));
    begin(phase, now);
}

void BodyCheck::begin(Phase phase, Instant now) {
    phase_ = phase;
    begun_ = now;
    states_ = states_before_ = session_.states();
    state_at_ = now;
    first_ = last_ = session_.state();
    moved_.reset();
    turned_ = 0.0;
    looked_ = now;
}

void BodyCheck::watch_greeting(Instant now) {
    if (!session_.hello() || !session_.state()) return;
    const Hello& hello = *session_.hello();
    next(Phase::rate, now,
         {"hello", CheckOutcome::passed,
          fmt::format("`{}`, protocol {}, {} sensors, a state every {} ms", hello.name, hello.version,
                      hello.sensors.size(), hello.period_ms)});
}

void BodyCheck::watch_rate(Instant now) {
    if (session_.states() != states_) {
        longest_gap_ = std::max(longest_gap_, now - state_at_);
        states_ = session_.states();
        state_at_ = now;
    }
    if (in_phase(now) < rate_time) return;
    longest_gap_ = std::max(longest_gap_, now - state_at_);
    const double rate = static_cast<double>(states_ - states_before_) / to_seconds(in_phase(now));
    next(Phase::latency, now,
         {"rate", passed_if(longest_gap_ <= 3 * period()),
          fmt::format("{:.0f} states per second, the longest gap {:.1f} ms; expected at most {:.0f} ms", rate,
                      ms(longest_gap_), ms(3 * period()))});
}

void BodyCheck::watch_latency(Instant now) {
    const bool acknowledged = session_.state()->seq == session_.last_order();
    if (!acknowledged) return;
    if (session_.last_order() > 0) latencies_.push_back(now - ordered_);
    if (latencies_.size() < orders_tried) {
        ordered_ = now;
        return session_.order({}, true, now);
    }
    std::ranges::sort(latencies_);
    next(Phase::contract, now,
         {"order to state", passed_if(latencies_.back() <= 3 * period()),
          fmt::format("median {:.2f} ms, longest {:.2f} ms of {}; expected at most {:.0f} ms",
                      ms(latencies_[latencies_.size() / 2]), ms(latencies_.back()), latencies_.size(),
                      ms(3 * period()))});
    begin_contract(now);
}

/// Sends what a robot may send at any time, all at once: orders, lights, power, and a message of a later
/// version with one more field.
void BodyCheck::begin_contract(Instant now) {
    silent_before_ = silent_sensors();
    const Hello& hello = *session_.hello();
    if (hello.lights) {
        for (const std::uint8_t lights : {Lights::ALARM, Lights::DRIVEN, Lights::AWAKE, Lights::ASLEEP})
            session_.send(Lights{lights});
        Bytes longer = frame_of(Lights{Lights::OFF});
        longer.insert(longer.end(), 4, std::byte{0});
        store_le(longer.data(), static_cast<std::uint32_t>(longer.size() - sizeof(std::uint32_t)));
        std::ignore = line_.write(longer);
    }
    for (const bool on : {false, true})
        for (std::size_t i = 0; i < hello.sensors.size(); ++i)
            if (hello.sensors[i].can_power_down) session_.send(Power{static_cast<std::uint8_t>(i), on});
    for (int i = 0; i < 3; ++i) session_.order({}, i != 1, now);
}

bool BodyCheck::has_lost_sensor() const { return silent_before_.empty() && !silent_sensors().empty(); }

void BodyCheck::watch_contract(Instant now) {
    constexpr Duration sensors_limit = 3s;
    const bool acknowledged = session_.state()->seq == session_.last_order();
    if (!acknowledged && in_phase(now) <= 3 * period()) return;
    if (acknowledged && has_lost_sensor() && in_phase(now) <= sensors_limit) return;
    next(Phase::turning, now,
         {"contract", passed_if(acknowledged && !has_lost_sensor()),
          !acknowledged
              ? fmt::format("three orders, lights and power at once are not acknowledged within {:.0f} ms",
                            ms(3 * period()))
          : has_lost_sensor() ? fmt::format("powered down and up, no reading within {:.0f} s: {}",
                                            to_seconds(sensors_limit), silent_sensors())
                              : "takes orders, lights and power at once"});
}

void BodyCheck::order_if_due(Instant now, motion::WheelSpeeds speeds) {
    if (now - ordered_ < order_pause) return;
    ordered_ = now;
    session_.order(speeds, true, now);
}

/// Returns the meters that each wheel has rolled in this phase. The encoders have readings.
motion::WheelSpeeds BodyCheck::rolled() const {
    const State& state = *session_.state();
    const double tick = session_.hello()->meters_per_tick;
    return {.right = static_cast<double>(state.right_ticks - first_->right_ticks) * tick,
            .left = static_cast<double>(state.left_ticks - first_->left_ticks) * tick};
}

void BodyCheck::watch_turning(Instant now) {
    order_if_due(now, {.right = speed, .left = speed});
    if (in_phase(now) < turning_time) return;
    const double expected = speed * to_seconds(in_phase(now));
    Finding finding{"wheels", CheckOutcome::unverified, "no encoders: watch the wheels"};
    if (session_.state()->has_encoders && first_->has_encoders) {
        const auto fits = [&](double way) { return std::abs(way - expected) <= 0.5 * expected; };
        finding = {"wheels", passed_if(fits(rolled().left) && fits(rolled().right)),
                   fmt::format("left {:.3f} m, right {:.3f} m ahead; expected about {:.3f} m", rolled().left,
                               rolled().right, expected)};
    }
    next(Phase::left_turning, now, std::move(finding));
}

void BodyCheck::watch_left_turning(Instant now) {
    order_if_due(now, {.right = 0.0, .left = speed});
    if (session_.state()->has_imu) turned_ += session_.state()->yaw_rate * to_seconds(now - looked_);
    looked_ = now;
    if (in_phase(now) < turning_time) return;
    findings_.push_back(left_finding(now));
    after_turning(now);
}

/// Driving the left wheel ahead turns the robot to the right.
BodyCheck::Finding BodyCheck::left_finding(Instant now) const {
    const std::string name(left_wheel);
    const double expected = speed * to_seconds(in_phase(now));
    std::string text = "no encoders";
    if (session_.state()->has_encoders && first_->has_encoders) {
        // The right wheel may roll on for a moment from the phase before.
        const motion::WheelSpeeds way = rolled();
        text = fmt::format("left {:.3f} m, right {:.3f} m ahead", way.left, way.right);
        if (std::abs(way.right) > std::abs(way.left))
            return {name, CheckOutcome::failed,
                    text + "; expected the left one to turn: motors and encoders are connected crosswise"};
        if (std::abs(way.left - expected) > 0.5 * expected)
            return {name, CheckOutcome::failed,
                    text + fmt::format("; expected about {:.3f} m left", expected)};
    }
    if (turned_ > visible_turn)
        return {name, CheckOutcome::failed,
                text + fmt::format(
                           "; the gyroscope shows {:.2f} rad to the left, expected to the right: left and "
                           "right are swapped, or the gyroscope's sign is",
                           turned_)};
    if (turned_ < -visible_turn)
        return {name, CheckOutcome::passed,
                text + fmt::format("; the gyroscope shows {:.2f} rad to the right", -turned_)};
    return {name, CheckOutcome::unverified,
            text + "; no gyroscope shows a turn: look whether it is the left wheel that turns"};
}

void BodyCheck::after_turning(Instant now) {
    const std::string silent = silent_sensors();
    findings_.push_back({"sensors", passed_if(silent.empty()),
                         silent.empty() ? "all give readings" : "no reading: " + silent});
    const Hello& hello = *session_.hello();
    if (!hello.stop_frame.empty() && !has_device_)
        findings_.push_back({"stop_frame", CheckOutcome::failed,
                             "the driver declares one, but the configuration has no body.device to which the "
                             "guard could write it"});
    if (hello.stops_without_feed_ms > 0) return begin(Phase::own_stop, now);
    const bool has_way = hello.stops_without_feed_ms == 0 || !hello.stop_frame.empty();
    session_.order({.right = speed, .left = speed}, true, now);
    next(Phase::closing, now,
         {"stops_without_feed_ms", passed_if(has_way),
          hello.stops_without_feed_ms == 0 ? "0: stops with its driver"
          : has_way ? fmt::format("-1: the guard writes the stop frame of {} bytes", hello.stop_frame.size())
                    : "-1, and no stop_frame: nothing stops the device when its driver is killed"});
    line_.end();
}

/// No orders: the wheels have to stop by themselves.
void BodyCheck::watch_own_stop(Instant now) {
    const State& state = *session_.state();
    if (have_moved(*last_, state)) moved_ = now;
    last_ = state;
    const auto declared = std::chrono::milliseconds(session_.hello()->stops_without_feed_ms);
    if (in_phase(now) < declared + 500ms) return;
    const Duration ran = moved_ ? *moved_ - begun_ : Duration::zero();
    const Duration allowed = declared + period() + order_pause;
    const bool measured = state.has_encoders;
    next(Phase::closing, now,
         {"stops_without_feed_ms", !measured ? CheckOutcome::unverified : passed_if(ran <= allowed),
          measured ? fmt::format("ran on for {:.0f} ms; expected at most {:.0f} ms", ms(ran), ms(allowed))
                   : "no encoders: watch the wheels"});
    session_.order({.right = speed, .left = speed}, true, now);
    line_.end();
}

void BodyCheck::watch_closing(Instant now) {
    const bool ended = line_.has_ended(Duration::zero());
    if (!ended && in_phase(now) < 1s) return;
    const Duration took = in_phase(now);
    next(Phase::over, now,
         {std::string(stop_by_closing), passed_if(ended && took <= closing_limit),
          ended
              ? fmt::format("closed after {:.1f} ms; expected at most {:.0f} ms", ms(took), ms(closing_limit))
              : "the driver does not close its end when the robot has closed its own"});
}

std::string BodyCheck::silent_sensors() const {
    const State& state = *session_.state();
    std::string names;
    std::size_t switches = 0;
    std::size_t ranges = 0;
    for (const Sensor& sensor : session_.hello()->sensors) {
        const auto kind = static_cast<motion::SensorKind>(sensor.kind);
        bool reads = true;
        if (is_switch(kind)) reads = state.switches[switches++] != State::NO_READING;
        if (kind == motion::SensorKind::range) reads = !std::isnan(state.ranges[ranges++]);
        if (sensor.kind <= Sensor::ENCODER_LEFT) reads = state.has_encoders;
        if (kind == motion::SensorKind::lidar) reads = session_.scan() != nullptr;
        if (kind == motion::SensorKind::eyes) reads = session_.sights() != nullptr;
        if (kind == motion::SensorKind::imu) reads = state.has_imu;
        if (kind == motion::SensorKind::battery) reads = state.has_battery;
        if (kind == motion::SensorKind::charger) reads = state.has_charger;
        if (!reads) names += (names.empty() ? "" : ", ") + sensor.name;
    }
    return names;
}

void BodyCheck::halt(Instant now) {
    if (session_.hello()) session_.order({}, true, now);
}

}  // namespace caribou::driver
