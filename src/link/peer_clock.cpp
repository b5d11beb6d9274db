#include "link/peer_clock.hpp"

#include <algorithm>

namespace caribou::link {

void PeerClock::learn(double sent, double theirs, double now, double stalled) {
    if (now < sent) return;
    const double waited = std::clamp(stalled, 0.0, now - sent);
    const Trip trip{.at = now, .duration = now - sent, .ahead = theirs - (sent + now + waited) / 2};
    while (!trips_.empty() && trips_.back().duration >= trip.duration) trips_.pop_back();
    trips_.push_back(trip);
    // The latest is never discarded: it is the best estimate.
    while (trips_.size() > 1 && trips_.front().at < now - memory) trips_.pop_front();
}

std::optional<double> PeerClock::ahead() const {
    return trips_.empty() ? std::nullopt : std::optional(trips_.front().ahead);
}

std::optional<double> PeerClock::theirs_at(double ours) const {
    const auto by = ahead();
    return by ? std::optional(ours + *by) : std::nullopt;
}

std::optional<double> PeerClock::ours_at(double theirs) const {
    const auto by = ahead();
    return by ? std::optional(theirs - *by) : std::nullopt;
}

}  // namespace caribou::link
