#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/fact_declaration.hpp"
#include "behavior/parameter.hpp"

namespace caribou::behavior {

/// A child of an entry, with the parameters that its parent's class has for each child.
struct ChildPlan {
    std::size_t entry = 0;  ///< its number in the plan
    ParameterValues values{};

    friend bool operator==(const ChildPlan&, const ChildPlan&) = default;
};

/// One instance of a behavior as described in a file.
struct TreeEntry {
    std::string id{};  ///< for anonymous ones, the parent's id, a slash and the class: `robot/wait#2`
    std::string class_name{};
    ParameterValues values{};  ///< as given; parameters that were left out are missing
    std::vector<ChildPlan> children{};

    bool is_anonymous() const { return id.contains('/'); }
    friend bool operator==(const TreeEntry&, const TreeEntry&) = default;
};

/// A whole tree as described in files: a value that can be compared, written, drawn, and used to build
/// behaviors any number of times.
struct TreePlan {
    std::vector<TreeEntry> entries{};  ///< in the order of declaration: the numbers of the behaviors
    std::size_t base = 0;
    FactDeclarations facts{};  ///< declared in the files

    friend bool operator==(const TreePlan&, const TreePlan&) = default;
};

/// Returns whether a condition or an action of the plan is of the class `part`, or names the fact `fact`. An
/// empty text matches nothing.
bool refers_to(const TreePlan& plan, std::string_view part, std::string_view fact);
/// The same for the parameters of one entry.
bool refers_to(const ParameterValues& values, std::string_view part, std::string_view fact);

}  // namespace caribou::behavior
