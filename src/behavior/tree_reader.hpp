#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json_node.hpp"
#include "behavior/class_registry.hpp"
#include "behavior/subtrees.hpp"
#include "behavior/tree_fault.hpp"
#include "behavior/tree_limits.hpp"
#include "behavior/tree_plan.hpp"
#include "behavior/value_reader.hpp"

namespace caribou::behavior {

/// A plan, and the locations of its entries in the files.
struct ReadTree {
    TreePlan plan;
    std::vector<Place> places;     ///< by number of the entry
    bool has_base = false;         ///< the files name one that exists
    bool has_all_children = true;  ///< no child was left out because of an error
    std::vector<std::pair<std::string, Place>> unused_conditions{};  ///< names that are not referred to
    std::vector<std::pair<std::string, Place>> unused_subtrees{};    ///< the same
};

/// Reads the files of one tree (docs/formats/behavior-tree.md) in three steps: the text of each file, the ids
/// of all entries, and then, since all references can now be resolved, their contents. All errors are added
/// to the list of faults; the result contains as much of the plan as is valid.
class TreeReader {
public:
    /// All arguments must outlive it. read() must be called only once.
    TreeReader(std::span<const TreeText> files, const ClassRegistry& classes, const TreeLimits& limits,
               FaultList& faults);
    ReadTree read();

private:
    struct Entry {
        FileNode from;
        const BehaviorClass* its_class;  ///< null if unknown
        const BehaviorClass* parent;     ///< class of the enclosing entry; null if none or unknown
    };

    /// Reports a version that this program does not read, and returns false then.
    bool check_version(std::size_t file, const JsonNode& root);
    void read_file(std::size_t file, const JsonNode& root);
    void read_base();

    // The ids of all entries.
    void collect_top(FileNode behaviors);
    void collect(FileNode node, std::optional<std::size_t> parent);
    /// Collects the copy of a subtree that takes the place of `use`.
    void collect_use(FileNode use, const Subtrees::Subtree& subtree, std::optional<std::size_t> parent);
    /// Adds an entry with the contents of `from`, to which the files refer as `node`. Returns its number.
    std::size_t add_entry(FileNode node, FileNode from, std::optional<std::size_t> parent);
    void collect_children(FileNode node, std::size_t entry);
    const BehaviorClass* find_class(FileNode node);
    std::string id_of(FileNode node, std::optional<std::size_t> parent, std::string_view class_name);
    std::string anonymous_id(std::size_t parent, std::string_view class_name);

    // Their contents.
    void read_entry(std::size_t entry);
    void read_children(std::size_t entry);
    /// Reports an unknown requirement, if any words are registered.
    void check_requirement(std::size_t entry);
    /// Reports unknown sensor modes, if any are registered.
    void check_sensor_modes(std::size_t entry);
    std::optional<std::size_t> read_child(FileNode item);
    std::optional<std::size_t> find_id(FileNode text, std::string_view what);

    std::span<const TreeText> files_;
    const ClassRegistry& classes_;
    const TreeLimits& limits_;
    FaultList& faults_;
    ValueReader values_;
    Subtrees subtrees_;
    std::vector<const Subtrees::Subtree*> inside_;  ///< the subtrees that are being copied, outermost first
    std::vector<Parameter> entry_parameters_;
    std::vector<JsonNode> roots_;
    std::vector<Entry> entries_;
    std::map<std::string, std::size_t, std::less<>> ids_;
    std::map<std::string, std::size_t> anonymous_;             ///< number of ids that differ only in #n
    std::unordered_map<const JsonNode*, std::size_t> inline_;  ///< entries nested inside others
    std::vector<FileNode> behaviors_;                          ///< the lists of all files
    std::vector<FileNode> bases_;
    bool has_too_many_ = false;
    ReadTree result_;
};

}  // namespace caribou::behavior
