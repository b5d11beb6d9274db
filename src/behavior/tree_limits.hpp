#pragma once

#include <cstddef>

#include "base/json_node.hpp"

namespace caribou::behavior {

/// The version of tree files that this program reads. A file without `version` has version 1.
inline constexpr int tree_version = 1;

/// Limits on the files of a tree; exceeding one is an error.
struct TreeLimits {
    JsonLimits json{};             ///< of each file
    std::size_t entries = 20'000;  ///< instances of behaviors
    std::size_t parts = 100'000;   ///< conditions and actions; named conditions count at each use
    std::size_t part_depth = 200;  ///< nesting of conditions or actions
    std::size_t id_length = 100;   ///< bytes
    std::size_t subtrees = 20;     ///< uses of subtrees inside each other
    std::size_t faults = 100;      ///< maximum number of errors reported
};

}  // namespace caribou::behavior
