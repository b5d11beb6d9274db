#include "robot/station_calls.hpp"

#include <algorithm>

namespace caribou::robot {
namespace {

/// How long a robot that listens from time to time listens each time.
constexpr Duration listening_time = std::chrono::seconds(2);

}  // namespace

void StationCalls::on_arrived(const Address& send_to, Instant now) {
    station_ = send_to;
    is_here_ = true;
    arrived_at_ = now;
    back_.reset();
}

void StationCalls::on_lost(Instant now) {
    is_here_ = false;
    next_call_ = now;
}

void StationCalls::set_port(std::uint16_t port) {
    if (station_) station_->port = port;
}

void StationCalls::disable(std::optional<Duration> back, Instant now) {
    back_ = back;
    listens_ = false;
    is_here_ = false;
    if (back) next_switch_ = now + *back;
}

bool StationCalls::takes_call(Instant now) {
    if (now < next_call_) return false;
    next_call_ = now + interval_;
    return calls_ && listens_ && !is_here_ && port_ != 0;
}

std::optional<bool> StationCalls::takes_switch(Instant now) {
    if (!back_ || now < next_switch_) return std::nullopt;
    listens_ = !listens_ || is_here_;
    next_switch_ = now + (listens_ ? std::min(listening_time, *back_) : *back_);
    return listens_;
}

Instant StationCalls::due() const { return back_ ? std::min(next_call_, next_switch_) : next_call_; }

}  // namespace caribou::robot
