#pragma once

#include <optional>

namespace caribou::link {

/// Estimates by how many seconds the peer's clock is ahead of ours, from heartbeats. A heartbeat sent at
/// `sent` (peer's clock) and received at `now` (our clock) shows that the peer is ahead by at least `sent -
/// now`; because the peer had received what we sent at `heard`, it is ahead by at most `sent - heard`. A
/// contradiction, as after a clock was set, restarts the estimate.
class ClockOffset {
public:
    /// Adds a heartbeat; `heard` is the echo of our own time, 0 if there was none.
    void learn(double sent, double heard, double now);
    /// Same, for a message that echoes none of our times.
    void learn(double sent, double now);

    /// Returns the estimate, or nullopt if there is none yet. Most exact when the message with the lowest
    /// latency was fast.
    std::optional<double> seconds() const;
    /// Returns how much longer than the fastest message one sent at `sent` and received at `now` took; 0 if
    /// there is no estimate yet.
    double lateness(double sent, double now) const;
    /// Returns how much larger the true offset may be at most, or nullopt if unknown.
    std::optional<double> uncertainty() const;

    /// Bounds are discarded after this many heartbeats, because clocks drift.
    static constexpr int window = 32;

private:
    struct Bounds {
        std::optional<double> low{};
        std::optional<double> high{};
        void narrow(const Bounds& other);
    };
    void add(const Bounds& bounds);
    Bounds known() const;

    Bounds before_{};
    Bounds current_{};
    int count_ = 0;
};

}  // namespace caribou::link
