#pragma once

#include <optional>

namespace caribou::link {

/// How far the other end's clock is ahead of ours, from what heartbeats tell. One that was sent at `sent`
/// by its clock, and that came at `now` by ours, says that it is ahead by at least `sent - now`;
/// as it had heard by then what we sent at `heard`, it is ahead by at most `sent - heard`. All times are
/// seconds. What contradicts that, as after a clock was set, starts it anew.
class ClockOffset {
public:
    void learn(double sent, double heard, double now);
    /// The same of something that echoes nothing of ours.
    void learn(double sent, double now);

    /// None: nothing is known yet. Best where the way was fastest.
    std::optional<double> seconds() const;
    /// How much longer than the fastest was under way what was sent at `sent` and came at `now`. 0, if
    /// nothing is known yet.
    double lateness(double sent, double now) const;
    /// How much further ahead it could be at most. None: not known.
    std::optional<double> uncertainty() const;

    /// Bounds are forgotten after this many heartbeats, because clocks drift.
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
