#pragma once

#include <optional>

namespace caribou::station {

/// How far a robot's clock is ahead of ours, from what heartbeats tell. One that the robot sent at `sent`
/// by its clock, and that came at `now` by ours, says that the robot is ahead by at least `sent - now`;
/// as it had heard by then what we sent at `heard`, it is ahead by at most `sent - heard`. All times are
/// seconds. What contradicts that, as after a clock was set, starts it anew.
class ClockOffset {
public:
    void learn(double sent, double heard, double now);
    /// The same of something that echoes nothing of ours.
    void learn(double sent, double now);

    /// None: nothing is known yet. Best where the way was fastest.
    std::optional<double> seconds() const;
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

}  // namespace caribou::station
