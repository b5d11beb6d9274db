#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "loop/address.hpp"

namespace caribou::app {

/// Settings shared by the robots of a demo.
struct DemoPlace {
    std::filesystem::path folder{};  ///< for configurations, keys and logs
    std::filesystem::path room{};    ///< of a single robot; in a fleet each has its own room
    std::uint16_t station = 0;       ///< UDP port that robots call
    Address broker{};
};

/// Returns `rover`, or `rover-07` if there are several.
std::string demo_name(std::size_t number, std::size_t of);

/// Returns the folder of keys shared by robots and station.
std::filesystem::path demo_keys(const std::filesystem::path& folder);

/// Returns the configuration of one robot, counted from 1: it drives by itself in a simulated room.
std::string demo_config(const DemoPlace& place, std::size_t number, std::size_t of);

}  // namespace caribou::app
