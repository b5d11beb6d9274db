#pragma once

namespace caribou::bus {

/// Estimates by how many seconds the broker's clock is ahead of ours.
class Skew {
public:
    /// Must be called for each new connection: the value from the broker's welcome is used until the first
    /// measurement.
    void start(double said_by_broker);
    /// Adds a measurement: the broker's clock showed `broker` between `sent` and `received` on ours. The
    /// first measurement is ignored, because it includes the cost of connecting.
    void measure(double broker, double sent, double received);

    double seconds() const { return seconds_; }

private:
    enum class Stage { passing_first, taking_first, filtering };

    Stage stage_ = Stage::passing_first;
    double seconds_ = 0;
};

}  // namespace caribou::bus
