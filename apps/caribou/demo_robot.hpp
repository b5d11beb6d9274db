#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "loop/address.hpp"

namespace caribou::app {

/// What the robots of a demo share.
struct DemoPlace {
    std::filesystem::path folder{};  ///< for configurations, keys and logs
    std::filesystem::path room{};    ///< of a robot that is alone; a fleet has a room of its own for each
    std::uint16_t station = 0;       ///< UDP port on which robots call it
    Address broker{};
};

/// `rover`, or `rover-07` of many.
std::string demo_name(std::size_t number, std::size_t of);

/// The keys that its robots and its station share.
std::filesystem::path demo_keys(const std::filesystem::path& folder);

/// The configuration of one robot, from 1: it drives itself in a simulated room.
std::string demo_config(const DemoPlace& place, std::size_t number, std::size_t of);

}  // namespace caribou::app
