#include "driver/body_check.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "driver/frame_checks.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;

constexpr Duration rate_time = 1s;
constexpr Duration turning_time = 1s;
constexpr Duration order_pause = 20ms;
constexpr Duration closing_limit = 100ms;  ///< as the watchdog of propulsion
constexpr std::size_t orders_tried = 50;

double ms(Duration time) { return to_seconds(time) * 1000.0; }

bool have_moved(const State& from, const State& to) {
    return from.left_ticks != to.left_ticks || from.right_ticks != to.right_ticks;
}

}  // namespace

bool BodyCheck::good() const {
    return phase_ == Phase::over && std::ranges::all_of(findings_, &Finding::good);
}

bool BodyCheck::step(Instant now) {
    if (phase_ == Phase::over) return true;
    if (phase_ == Phase::closing) {
        watch_closing(now);
        return phase_ == Phase::over;
    }
    session_.poll(now);
    if (!session_.fault().empty()) {
        next(Phase::over, now, {"driver", false, session_.fault()});
        return true;
    }
    switch (phase_) {
        case Phase::greeting: watch_greeting(now); break;
        case Phase::rate: watch_rate(now); break;
        case Phase::latency: watch_latency(now); break;
        case Phase::turning: watch_turning(now); break;
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
}

void BodyCheck::watch_greeting(Instant now) {
    if (!session_.hello() || !session_.state()) return;
    const Hello& hello = *session_.hello();
    next(Phase::rate, now,
         {"hello", true,
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
         {"rate", longest_gap_ <= 3 * period(),
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
    next(Phase::turning, now,
         {"order to state", latencies_.back() <= 3 * period(),
          fmt::format("median {:.2f} ms, longest {:.2f} ms of {}; expected at most {:.0f} ms",
                      ms(latencies_[latencies_.size() / 2]), ms(latencies_.back()), latencies_.size(),
                      ms(3 * period()))});
}

void BodyCheck::order_if_due(Instant now, double wheels) {
    if (now - ordered_ < order_pause) return;
    ordered_ = now;
    session_.order({.right = wheels, .left = wheels}, true, now);
}

void BodyCheck::watch_turning(Instant now) {
    order_if_due(now, speed);
    if (in_phase(now) < turning_time) return;
    const State& state = *session_.state();
    Finding finding{"wheels", true, "no encoders: not measured"};
    if (state.has_encoders && first_->has_encoders) {
        const double expected = speed * to_seconds(in_phase(now));
        const auto rolled = [&](std::int64_t from, std::int64_t to) {
            return static_cast<double>(to - from) * session_.hello()->meters_per_tick;
        };
        const double left = rolled(first_->left_ticks, state.left_ticks);
        const double right = rolled(first_->right_ticks, state.right_ticks);
        const auto fits = [&](double way) { return std::abs(way - expected) <= 0.5 * expected; };
        finding = {"wheels", fits(left) && fits(right),
                   fmt::format("left {:.3f} m, right {:.3f} m ahead; expected about {:.3f} m", left, right,
                               expected)};
    }
    after_turning(now, std::move(finding));
}

void BodyCheck::after_turning(Instant now, Finding finding) {
    findings_.push_back(std::move(finding));
    const std::string silent = silent_sensors();
    findings_.push_back(
        {"sensors", silent.empty(), silent.empty() ? "all give readings" : "no reading: " + silent});
    const Hello& hello = *session_.hello();
    if (hello.stops_without_feed_ms > 0) return begin(Phase::own_stop, now);
    const bool has_way = hello.stops_without_feed_ms == 0 || !hello.stop_frame.empty();
    session_.order({.right = speed, .left = speed}, true, now);
    next(Phase::closing, now,
         {"stops_without_feed_ms", has_way,
          hello.stops_without_feed_ms == 0 ? "0: stops with its driver; not measured beyond that"
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
         {"stops_without_feed_ms", !measured || ran <= allowed,
          measured ? fmt::format("ran on for {:.0f} ms; expected at most {:.0f} ms", ms(ran), ms(allowed))
                   : "no encoders: not measured"});
    session_.order({.right = speed, .left = speed}, true, now);
    line_.end();
}

void BodyCheck::watch_closing(Instant now) {
    const bool ended = line_.has_ended(Duration::zero());
    if (!ended && in_phase(now) < 1s) return;
    const Duration took = in_phase(now);
    next(Phase::over, now,
         {"stop by closing", ended && took <= closing_limit,
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

}  // namespace caribou::driver
