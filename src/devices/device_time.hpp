#pragma once

#include <optional>

#include "loop/time.hpp"

namespace caribou::devices {

/// Converts the time stamps of a device to the time of this machine. Bytes arrive late by different amounts,
/// so that the earliest arrival counts; the two clocks may drift apart by 0.1 %.
class DeviceTime {
public:
    /// Something with this time stamp was read. `device` is the time since any moment, by the device.
    void learn(Duration device, Instant arrival) {
        const Instant zero = arrival - device;
        if (zero_) *zero_ += (arrival - arrived_) / 1000;
        if (!zero_ || zero < *zero_) zero_ = zero;
        arrived_ = arrival;
    }
    /// Returns the time of a stamp. learn() was called.
    Instant instant_of(Duration device) const { return *zero_ + device; }
    void reset() { zero_.reset(); }

private:
    std::optional<Instant> zero_;  ///< when the device's time was zero
    Instant arrived_{};
};

}  // namespace caribou::devices
