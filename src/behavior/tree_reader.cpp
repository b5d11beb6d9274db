#include "behavior/tree_reader.hpp"

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "behavior/entry_parameters.hpp"

namespace caribou::behavior {
namespace {

using JsonKind = JsonNode::Kind;

}  // namespace

TreeReader::TreeReader(std::span<const TreeText> files, const ClassRegistry& classes,
                       const TreeLimits& limits, FaultList& faults)
    : files_(files),
      classes_(classes),
      limits_(limits),
      faults_(faults),
      values_(classes, limits, faults),
      subtrees_(classes, limits, values_, faults),
      entry_parameters_(entry_parameters()) {}

ReadTree TreeReader::read() {
    roots_.reserve(files_.size());  // entries refer to its elements
    for (std::size_t file = 0; file < files_.size(); ++file) {
        auto root = read_json(files_[file].text, limits_.json);
        if (!root) {
            faults_.add({file, root.error().offset}, std::move(root.error().message));
            result_.has_all_children = false;
            continue;
        }
        if (!check_version(file, *root)) {
            result_.has_all_children = false;
            continue;
        }
        read_file(file, roots_.emplace_back(std::move(*root)));
    }
    for (const FileNode behaviors : behaviors_) collect_top(behaviors);
    values_.read_named_conditions();
    for (std::size_t entry = 0; entry < entries_.size(); ++entry) read_entry(entry);
    read_base();
    result_.plan.facts = values_.facts();
    result_.unused_conditions = values_.unused_conditions();
    result_.unused_subtrees = subtrees_.unused();
    return std::move(result_);
}

bool TreeReader::check_version(std::size_t file, const JsonNode& root) {
    const JsonNode* const version = root.is(JsonKind::object) ? root.find("version") : nullptr;
    if (!version || (version->is(JsonKind::number) && version->number == tree_version)) return true;
    if (version->is(JsonKind::number) && version->number > tree_version)
        faults_.add({file, version->offset},
                    fmt::format("version {} of trees is newer than this program, which reads version {}",
                                number_text(version->number), tree_version));
    else
        faults_.add({file, version->offset}, fmt::format("version should be {}", tree_version));
    return false;
}

void TreeReader::read_file(std::size_t file, const JsonNode& root) {
    const FileNode whole{root, file};
    if (!root.is(JsonKind::object)) {
        faults_.add(whole.place(), fmt::format("a tree is an object with `base` and `behaviors`, not {}",
                                               name_of(root.kind)));
        return;
    }
    const ObjectShape shape{
        .owner = "a tree",
        .other_keys = {"version", "base", "behaviors", "conditions", "facts", "subtrees", "note"}};
    values_.read_object(whole, shape);
    if (const JsonNode* facts = root.find("facts")) values_.define_facts({*facts, file});
    if (const JsonNode* conditions = root.find("conditions")) values_.define_conditions({*conditions, file});
    if (const JsonNode* subtrees = root.find("subtrees")) subtrees_.define({*subtrees, file});
    if (const JsonNode* base = root.find("base")) bases_.push_back({*base, file});
    if (const JsonNode* behaviors = root.find("behaviors")) behaviors_.push_back({*behaviors, file});
}

void TreeReader::read_base() {
    if (bases_.empty()) {
        if (roots_.size() == files_.size())  // otherwise it may be in a file that could not be read
            faults_.add(
                {}, "no file defines where the tree begins: add \"base\": \"…\" with the id of a behavior");
        return;
    }
    for (std::size_t i = 1; i < bases_.size(); ++i)
        faults_.add(bases_[i].place(), fmt::format("there is one base, defined at {}",
                                                   faults_.describe(bases_.front().place())));
    const auto base = find_id(bases_.front(), "base");
    result_.has_base = base.has_value();
    result_.plan.base = base.value_or(0);
}

std::optional<std::size_t> TreeReader::find_id(FileNode text, std::string_view what) {
    if (!text.node.is(JsonKind::text)) {
        faults_.add(text.place(),
                    fmt::format("a {} is named by its id, not by {}", what, name_of(text.node.kind)));
        return std::nullopt;
    }
    if (const auto found = ids_.find(text.node.text); found != ids_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [id, entry] : ids_)
        if (!id.contains('/') && !faults_.full()) known.push_back(id);
    faults_.add(text.place(), fmt::format("no behavior has the id `{}`{}", text.node.text,
                                          instead_of(text.node.text, known)));
    return std::nullopt;
}

}  // namespace caribou::behavior
