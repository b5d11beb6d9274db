#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.hpp"
#include "loop/time.hpp"

namespace caribou::driver {

/// Version of the driver protocol (docs/formats/driver.md).
inline constexpr std::uint32_t protocol_version = 1;

/// The named limits of the driver protocol.
struct DriverLimits {
    static constexpr std::size_t frame = 32_KiB;             ///< kind and body
    static constexpr std::size_t bytes_per_second = 4_MiB;   ///< from a driver
    static constexpr std::size_t frames_per_second = 2000;   ///< from a driver
    static constexpr std::size_t log_lines_per_second = 10;  ///< from a driver; the others are counted
    static constexpr std::size_t orders_under_way = 256;     ///< not acknowledged yet
    static constexpr Duration order_window = std::chrono::milliseconds(10);
    static constexpr std::size_t orders_per_window = 3;         ///< from propulsion, besides rest and off
    static constexpr double size = 5.0;                         ///< m, of a radius or wheel base
    static constexpr double speed = 10.0;                       ///< m/s, of a wheel
    static constexpr double reach = 100.0;                      ///< m, of a sensor
    static constexpr std::uint16_t shortest_period_ms = 2;      ///< between two states
    static constexpr std::uint16_t longest_period_ms = 100;     ///< between two states
    static constexpr std::int32_t longest_stop_ms = 60'000;     ///< of stops_without_feed_ms
    static constexpr Duration hello = std::chrono::seconds(5);  ///< from the connection to the hello
    /// Silence after which a driver is disconnected, unless six of its periods are longer.
    static constexpr Duration lost = std::chrono::milliseconds(200);
};

}  // namespace caribou::driver
