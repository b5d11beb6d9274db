#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.hpp"
#include "loop/time.hpp"

namespace caribou::driver {

/// What a driver says about itself beyond the plan of its body.
struct BodyDriverSettings {
    std::string name = "driver";
    Duration period = std::chrono::milliseconds(20);  ///< between two states
    /// How long the device turns on after its last order, or after the end of the driver; -1: for ever.
    std::int32_t stops_without_feed_ms = -1;
    Bytes stop_frame{};  ///< what the guard writes to a device that does not stop by itself
};

}  // namespace caribou::driver
