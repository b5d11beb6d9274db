#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "behavior/class_registry.hpp"
#include "behavior/tree_fault.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::app {

/// Returns the contents of the files, with their paths.
Result<std::vector<behavior::TreeText>> read_tree_files(const std::vector<std::string>& paths);

/// Reads and loads a tree. The error lists all problems, one per line.
Result<behavior::LoadedTree> load_tree_files(const std::vector<std::string>& paths,
                                             const behavior::ClassRegistry& classes);

}  // namespace caribou::app
