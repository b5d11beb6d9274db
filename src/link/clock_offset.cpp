#include "link/clock_offset.hpp"

#include <algorithm>

namespace caribou::link {

void ClockOffset::Bounds::narrow(const Bounds& other) {
    if (other.low) low = std::max(*other.low, low.value_or(*other.low));
    if (other.high) high = std::min(*other.high, high.value_or(*other.high));
}

void ClockOffset::learn(double sent, double heard, double now) {
    if (heard <= 0) return learn(sent, now);
    count_ += 1;
    if (count_ > window) {
        before_ = current_;
        current_ = {};
        count_ = 1;
    }
    add({.low = sent - now, .high = sent - heard});
}

void ClockOffset::learn(double sent, double now) { add({.low = sent - now}); }

void ClockOffset::add(const Bounds& bounds) {
    Bounds all = known();
    all.narrow(bounds);
    if (all.low && all.high && *all.low > *all.high) {
        before_ = {};
        current_ = bounds;
        return;
    }
    current_.narrow(bounds);
}

ClockOffset::Bounds ClockOffset::known() const {
    Bounds all = before_;
    all.narrow(current_);
    return all;
}

std::optional<double> ClockOffset::seconds() const { return known().low; }

double ClockOffset::lateness(double sent, double now) const {
    const auto ahead = seconds();
    return ahead ? std::max(0.0, now - (sent - *ahead)) : 0;
}

std::optional<double> ClockOffset::uncertainty() const {
    const Bounds all = known();
    if (!all.low || !all.high) return std::nullopt;
    return *all.high - *all.low;
}

}  // namespace caribou::link
