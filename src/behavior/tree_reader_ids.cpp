// The step of TreeReader that finds all entries and assigns their numbers and ids.

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/suggestion.hpp"
#include "behavior/tree_reader.hpp"

namespace caribou::behavior {
namespace {

using JsonKind = JsonNode::Kind;

bool is_id(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    });
}

}  // namespace

void TreeReader::collect_top(FileNode behaviors) {
    if (!behaviors.node.is(JsonKind::list)) {
        faults_.add(behaviors.place(),
                    fmt::format("`behaviors` is a list of entries, not {}", name_of(behaviors.node.kind)));
        return;
    }
    for (std::size_t i = 0; i < behaviors.node.items.size(); ++i) {
        const FileNode item = behaviors.item(i);
        if (item.node.is(JsonKind::object))
            collect(item, std::nullopt);
        else
            faults_.add(item.place(), fmt::format("a behavior is an object with `class` and `id`, not {}",
                                                  name_of(item.node.kind)));
    }
}

void TreeReader::collect(FileNode node, std::optional<std::size_t> parent) {
    if (entries_.size() >= limits_.entries) {
        if (!has_too_many_)
            faults_.add(node.place(),
                        limit_reached("entries", limits_.entries + 1, limits_.entries, "behaviors"));
        has_too_many_ = true;
        return;
    }

    const JsonNode* name = node.node.find("class");
    const bool has_name = name && name->is(JsonKind::text);
    if (const auto* subtree = has_name ? subtrees_.find(name->text) : nullptr)
        return collect_use(node, *subtree, parent);
    collect_children(node, add_entry(node, node, parent));
}

void TreeReader::collect_use(FileNode use, const Subtrees::Subtree& subtree,
                             std::optional<std::size_t> parent) {
    const bool is_inside = std::ranges::find(inside_, &subtree) != inside_.end();
    const bool is_too_deep = inside_.size() >= limits_.subtrees;
    if (is_inside)
        faults_.add(use.place(), fmt::format("the subtree `{}` contains itself", subtree.name));
    else if (is_too_deep)
        faults_.add(use.place(), limit_reached("subtrees", inside_.size() + 1, limits_.subtrees,
                                               "subtrees inside each other"));
    const JsonNode* id = use.node.find("id");
    const JsonNode* entry =
        is_inside || is_too_deep
            ? nullptr
            : subtrees_.expand(use, subtree, id && id->is(JsonKind::text) ? id->text : "");
    if (!entry) {
        result_.has_all_children = false;
        // Its errors are reported: what refers to it must not be an error as well.
        add_entry(use, use, parent);
        return;
    }
    const std::size_t number = add_entry(use, {*entry, use.file}, parent);
    inside_.push_back(&subtree);
    collect({entry->find("children")->items.front(), Subtrees::file_of(subtree)}, number);
    inside_.pop_back();
}

std::size_t TreeReader::add_entry(FileNode node, FileNode from, std::optional<std::size_t> parent) {
    const std::size_t entry = entries_.size();
    const BehaviorClass* its_class = find_class(from);
    entries_.push_back({from, its_class, parent ? entries_[*parent].its_class : nullptr});
    inline_.emplace(&node.node, entry);
    TreeEntry& planned = result_.plan.entries.emplace_back();
    if (its_class) planned.class_name = its_class->name;
    planned.id = id_of(from, parent, its_class ? its_class->name : "unknown");
    result_.places.push_back(node.place());
    const auto [known, is_new] = ids_.try_emplace(planned.id, entry);
    // The second entry is not reached, because of this error.
    if (!is_new) result_.has_all_children = false;
    if (!is_new)
        faults_.add({node.file, node.node.find("id")->offset},
                    fmt::format("the id `{}` is already used at {}", planned.id,
                                faults_.describe(result_.places[known->second])));
    return entry;
}

void TreeReader::collect_children(FileNode node, std::size_t entry) {
    const JsonNode* children = node.node.find("children");
    if (!children || !children->is(JsonKind::list)) return;
    for (const JsonNode& item : children->items) {
        const JsonNode* slot = item.find("child");
        const JsonNode& child = slot ? *slot : item;
        if (child.find("class")) collect({child, node.file}, entry);
    }
}

const BehaviorClass* TreeReader::find_class(FileNode node) {
    const JsonNode* name = node.node.find("class");
    if (!name || !name->is(JsonKind::text)) {
        faults_.add(name ? Place{node.file, name->offset} : node.place(),
                    "a behavior needs a `class`: the name of one, as a text");
        return nullptr;
    }
    const auto found = classes_.behaviors().find(name->text);
    if (found != classes_.behaviors().end()) return &found->second;
    if (subtrees_.find(name->text)) return nullptr;  // a use whose errors are reported
    std::vector<std::string> known;
    subtrees_.add_names(known);
    for (const auto& [other, its_class] : classes_.behaviors()) known.push_back(other);
    faults_.add({node.file, name->offset}, fmt::format("no class of behaviors is called `{}`{}", name->text,
                                                       instead_of(name->text, known)));
    return nullptr;
}

std::string TreeReader::id_of(FileNode node, std::optional<std::size_t> parent, std::string_view class_name) {
    const JsonNode* id = node.node.find("id");
    if (id && id->is(JsonKind::text) && is_id(id->text) && id->text.size() <= limits_.id_length)
        return id->text;
    if (id)
        faults_.add(
            {node.file, id->offset},
            fmt::format("an id is a text of at most {} letters, digits and `_-.`", limits_.id_length));
    else if (!parent)
        faults_.add(node.place(), "a behavior needs an `id`; only children can go without");
    return parent ? anonymous_id(*parent, class_name) : fmt::format("/{}", entries_.size());
}

std::string TreeReader::anonymous_id(std::size_t parent, std::string_view class_name) {
    std::string id = fmt::format("{}/{}", result_.plan.entries[parent].id, class_name);
    const std::size_t count = ++anonymous_[id];
    return count == 1 ? id : fmt::format("{}#{}", id, count);
}

}  // namespace caribou::behavior
