#pragma once

#include <cstddef>

#include "base/json_node.hpp"

namespace caribou::behavior {

/// What the files of a tree may hold at most; more is a fault.
struct TreeLimits {
    JsonLimits json{};             ///< of each file
    std::size_t entries = 20'000;  ///< instances of behaviors
    std::size_t parts = 100'000;   ///< conditions and actions; named conditions count where they are used
    std::size_t part_depth = 200;  ///< conditions or actions inside each other
    std::size_t id_length = 100;   ///< bytes
    std::size_t faults = 100;      ///< that are shown
};

}  // namespace caribou::behavior
