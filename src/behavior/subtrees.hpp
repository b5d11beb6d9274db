#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "behavior/value_reader.hpp"

namespace caribou::behavior {

/// The subtrees that the files of a tree define: behaviors with parameters, which can be used any number of
/// times.
///
/// A use is replaced with a copy. In the copy, each text `$name` is replaced with the argument of that name,
/// or with the name of a fact that belongs to this use, and each id of the subtree begins with the id of the
/// use: `wink` becomes `kitchen.wink`.
class Subtrees {
public:
    /// A subtree as a file defines it.
    struct Subtree {
        struct Port {
            Parameter parameter;
            bool is_behavior = false;                   ///< an id or an entry
            std::optional<FactDeclaration::Type> of{};  ///< the type of a fact; nullopt: any
            const JsonNode* fallback = nullptr;         ///< null: an argument is required
        };
        std::string name;
        FileNode from;
        const JsonNode* behavior = nullptr;  ///< null: the definition has errors, which are reported
        const JsonNode* facts = nullptr;     ///< null: none
        std::deque<Port> ports{};
        std::set<std::string, std::less<>> ids{};  ///< of its behaviors
    };

    /// All arguments must outlive it.
    Subtrees(const ClassRegistry& classes, const TreeLimits& limits, ValueReader& values, FaultList& faults)
        : classes_(classes), limits_(limits), values_(values), faults_(faults) {}

    /// Reads the object `subtrees` of a file. Must be called for all files before the first use.
    void define(FileNode subtrees);

    /// Returns null if no subtree has this name. Valid as long as this object.
    const Subtree* find(std::string_view name) const;
    /// Adds the names of all subtrees.
    void add_names(std::vector<std::string>& to) const;

    /// Returns an entry in place of a use: it passes control through, and has a copy of the subtree as its
    /// child. Declares the facts of this use. Reports errors in the arguments, and returns nullptr then.
    /// Valid as long as this object. `id` is empty if the use has none.
    const JsonNode* expand(FileNode use, const Subtree& subtree, const std::string& id);
    /// Returns the file that defines the subtree, and thus the child of such an entry.
    static std::size_t file_of(const Subtree& subtree);

    /// Returns the subtrees that are not used, and where they are defined.
    std::vector<std::pair<std::string, Place>> unused() const;

private:
    struct Copier;

    void define_one(FileNode item);
    // Return false after reporting an error.
    bool define_parameters(FileNode item, Subtree& subtree);
    bool define_parameter(FileNode item, Subtree& subtree);
    bool declare_parameter(FileNode item, Subtree::Port port, Subtree& subtree);
    std::optional<std::map<std::string, const JsonNode*, std::less<>>> arguments_of(FileNode use,
                                                                                    const Subtree& subtree);

    const ClassRegistry& classes_;
    const TreeLimits& limits_;
    ValueReader& values_;
    FaultList& faults_;
    std::map<std::string, Subtree, std::less<>> subtrees_;
    std::deque<JsonNode> copies_;
    std::size_t copied_ = 0;  ///< values
    std::set<std::string, std::less<>> used_;
};

}  // namespace caribou::behavior
