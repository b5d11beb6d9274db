#include "driver/kill_check.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou::driver {

using namespace std::chrono_literals;
using motion::CheckOutcome;

KillCheck::KillCheck(const Hello& hello) : hello_(hello) {}

bool KillCheck::applies_to(const Hello& hello, bool has_device) {
    return hello.stops_without_feed_ms >= 0 || (has_device && !hello.stop_frame.empty());
}

void KillCheck::connect(DriverLine& line, Instant now) { session_.emplace(line, now); }

bool KillCheck::step(Instant now) {
    if (phase_ == Phase::cut || phase_ == Phase::over) return true;
    session_->poll(now);
    if (!session_->fault().empty()) return end(CheckOutcome::failed, session_->fault());
    if (!session_->hello() || !session_->state()) return false;
    return phase_ == Phase::turning ? turn(now) : rest(now);
}

bool KillCheck::turn(Instant now) {
    if (!turning_since_) {
        turning_since_ = now;
        first_ = session_->state();
    }
    if (now - ordered_ >= BodyCheck::order_pause) {
        ordered_ = now;
        session_->order({.right = BodyCheck::speed, .left = BodyCheck::speed}, true, now);
    }
    if (now - *turning_since_ < BodyCheck::turning_time) return false;
    const State& state = *session_->state();
    if (state.has_encoders && first_->has_encoders && !have_moved(*first_, state))
        return end(CheckOutcome::failed, "the wheels do not turn");
    phase_ = Phase::cut;
    return true;
}

void KillCheck::on_cut(bool confirmed, Instant now) {
    cut_at_ = now;
    first_.reset();
    phase_ = Phase::resting;
    if (!confirmed)
        end(CheckOutcome::failed, hello_.stop_frame.empty()
                                      ? "the driver was not killed"
                                      : "the driver was not killed, or the stop frame not written");
}

bool KillCheck::rest(Instant now) {
    const State& state = *session_->state();
    if (!state.has_encoders) return end(CheckOutcome::unverified, "no encoders: watch the wheels");
    if (now - cut_at_ < settle_time()) return false;
    if (!first_) {
        first_ = state;
        first_at_ = now;
    }
    const auto after = [&](Instant at) { return to_seconds(at - cut_at_) * 1000.0; };
    const char* const how = hello_.stop_frame.empty()
                                ? "the driver was killed"
                                : "the driver was killed and its stop frame was written";
    if (have_moved(*first_, state))
        return end(CheckOutcome::failed,
                   fmt::format("the wheels turn {:.0f} ms after {}; expected rest after "
                               "{:.0f} ms",
                               after(now), how, to_seconds(settle_time()) * 1000.0));
    if (now - first_at_ < rest_time) return false;
    return end(CheckOutcome::passed,
               fmt::format("at rest by the encoders {:.0f} ms after {}", after(first_at_), how));
}

Duration KillCheck::settle_time() const {
    return braking_limit + std::chrono::milliseconds(std::max(hello_.stops_without_feed_ms, 0));
}

void KillCheck::halt(Instant now) {
    if (session_ && session_->hello()) session_->order({}, true, now);
}

bool KillCheck::end(CheckOutcome outcome, std::string text) {
    finding_ = {hello_.stop_frame.empty() ? "stop by killing" : "stop_frame", outcome, std::move(text)};
    phase_ = Phase::over;
    return true;
}

}  // namespace caribou::driver
