#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// One line of a drawn tree.
struct TreeRow {
    static constexpr std::size_t none = SIZE_MAX;

    std::size_t entry;          ///< in the plan
    std::size_t parent = none;  ///< row of its parent
    std::size_t depth = 0;
    bool is_last = true;    ///< among its siblings
    bool is_again = false;  ///< already drawn above, with its children
    std::string place{};    ///< as returned by describe_place()
};

/// Returns the tree starting at its base, parents before their children, in the order of declaration. An
/// entry listed by several parents has its children only below the first.
std::vector<TreeRow> rows_of(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
