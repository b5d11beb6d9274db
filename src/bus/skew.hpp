#pragma once

namespace caribou::bus {

/// Estimates how far the broker's clock is ahead of ours, in seconds.
class Skew {
public:
    /// A new connection: what the broker said in its welcome holds until it is measured.
    void start(double said_by_broker);
    /// The broker showed `broker` on its clock between `sent` and `received` on ours. The first
    /// time is passed over: it still carries the costs of connecting.
    void measure(double broker, double sent, double received);

    double seconds() const { return seconds_; }

private:
    enum class Stage { passing_first, taking_first, filtering };

    Stage stage_ = Stage::passing_first;
    double seconds_ = 0;
};

}  // namespace caribou::bus
