#pragma once

#include <deque>
#include <optional>

namespace caribou::link {

/// Estimates by how many seconds the clock of a peer is ahead of ours, from round trips. The fastest round
/// trip of the last 10 s is used; its error is at most half of its duration. Times are seconds of clocks that
/// are never set, such as Clock::boot_seconds().
class PeerClock {
public:
    /// Adds a round trip: we sent a message at `sent`, the peer replied at `theirs` by its clock, and the
    /// reply arrived at `now`. The time between receiving and replying counts as part of the round trip. The
    /// message may have waited for up to `stalled` seconds in front of a peer that did not run: the peer is
    /// then taken to be ahead by as little as that allows, so that nothing that we date looks younger than it
    /// is.
    void learn(double sent, double theirs, double now, double stalled = 0);

    /// Returns the peer's time at our time `ours`, or nullopt before the first round trip.
    std::optional<double> theirs_at(double ours) const;
    /// Returns our time at the peer's time `theirs`, or nullopt before the first round trip.
    std::optional<double> ours_at(double theirs) const;
    /// Returns the largest possible error of the estimate, in seconds; 0 before the first round trip.
    double uncertainty() const { return trips_.empty() ? 0 : trips_.front().duration / 2; }

    static constexpr double memory = 10;

private:
    struct Trip {
        double at;
        double duration;
        double ahead;
    };
    std::optional<double> ahead() const;

    /// In order of time. A trip is removed when a later one is as fast, so that durations increase from front
    /// to back and the front one is the fastest.
    std::deque<Trip> trips_;
};

}  // namespace caribou::link
