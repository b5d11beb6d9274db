#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/source_text.hpp"

namespace caribou::rules {

/// The table of layers: which module may include which. A line names only modules of earlier lines.
struct Layers {
    struct Module {
        std::size_t line;                   ///< in src/layers.txt
        std::set<std::string> may_include;  ///< other modules
    };
    std::map<std::string, Module> modules;
    std::vector<Finding> findings;  ///< faults of the table itself

    static Layers parse(std::string_view table);
};

/// Checks the #include lines below src/, apps/, tests/, examples/ and bench/ against the table. Returns what
/// breaks it.
std::vector<Finding> check_layers(const Layers& may_include, std::span<const SourceFile> files);

/// Checks the list of installed headers: each exists, and everything it includes is installed. Returns what
/// does not.
std::vector<Finding> check_public_headers(std::string_view list, std::span<const SourceFile> files);

}  // namespace caribou::rules
