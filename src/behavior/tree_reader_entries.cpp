// The step of TreeReader that reads the contents of entries, once all ids are known.

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "behavior/tree_reader.hpp"

namespace caribou::behavior {
namespace {

using JsonKind = JsonNode::Kind;

std::string children_of(const BehaviorClass& its_class) {
    const std::size_t least = its_class.min_children;
    const std::size_t most = its_class.max_children;
    if (most == 0) return "no children";
    if (least == most) return fmt::format("{} {}", least, least == 1 ? "child" : "children");
    if (most == SIZE_MAX) return fmt::format("at least {} {}", least, least == 1 ? "child" : "children");
    return fmt::format("{} to {} children", least, most);
}

}  // namespace

void TreeReader::read_entry(std::size_t entry) {
    const Entry& from = entries_[entry];
    TreeEntry& planned = result_.plan.entries[entry];
    read_children(entry);
    if (!from.its_class) return;  // its allowed keys are unknown

    ObjectShape shape{.owner = fmt::format("`{}`", from.its_class->name),
                      .takes_anything = from.its_class->takes_anything,
                      .other_keys = {"class", "id", "children", "note"},
                      .elsewhere = "it goes around the child: {\"child\": …, …}"};
    for (const Parameter& parameter : from.its_class->parameters) shape.parameters.push_back(&parameter);
    for (const Parameter& parameter : entry_parameters_) shape.parameters.push_back(&parameter);
    if (from.parent)
        for (const Parameter& parameter : from.parent->child_parameters)
            shape.elsewhere_keys.push_back(parameter.name);
    planned.values = values_.read_object(from.from, shape);
    check_requirement(entry);
    check_sensor_modes(entry);
    if (from.its_class->contradictions)
        for (std::string& sentence : from.its_class->contradictions(planned))
            faults_.add(from.from.place(), std::move(sentence));
}

void TreeReader::check_requirement(std::size_t entry) {
    const auto* word = given<std::string>(result_.plan.entries[entry].values, "requirement");
    if (!word || classes_.requirements().empty() || classes_.requirements().contains(*word)) return;
    std::vector<std::string> known;
    for (const auto& [name, requirement] : classes_.requirements()) known.push_back(name);
    const FileNode from = entries_[entry].from;
    faults_.add({from.file, from.node.find("requirement")->offset},
                fmt::format("no requirement is called `{}`{}", *word, instead_of(*word, known)));
}

void TreeReader::check_sensor_modes(std::size_t entry) {
    if (classes_.sensor_modes().empty()) return;
    std::vector<std::string> known;
    for (const auto& [name, mode] : classes_.sensor_modes()) known.push_back(name);
    const FileNode from = entries_[entry].from;
    for (const std::string_view key : {"sensors_in_scope", "sensors_while_active"}) {
        const auto* modes = given<std::vector<std::string>>(result_.plan.entries[entry].values, key);
        if (!modes) continue;
        for (const JsonNode& item : from.node.find(key)->items)
            if (item.is(JsonKind::text) && !item.text.empty() && !classes_.sensor_modes().contains(item.text))
                faults_.add({from.file, item.offset}, fmt::format("no sensor mode is called `{}`{}",
                                                                  item.text, instead_of(item.text, known)));
    }
}

void TreeReader::read_children(std::size_t entry) {
    const Entry& from = entries_[entry];
    const JsonNode* children = from.from.node.find("children");
    if (children && !children->is(JsonKind::list)) {
        faults_.add({from.from.file, children->offset},
                    fmt::format("`children` is a list, not {}", name_of(children->kind)));
        result_.has_all_children = false;
        return;
    }
    const std::size_t count = children ? children->items.size() : 0;
    if (from.its_class && (count < from.its_class->min_children || count > from.its_class->max_children))
        faults_.add(
            children ? Place{from.from.file, children->offset} : from.from.place(),
            fmt::format("`{}` takes {}, not {}", from.its_class->name, children_of(*from.its_class), count));

    ObjectShape shape{.owner = "the child", .other_keys = {"child"}};
    shape.takes_anything = from.its_class && from.its_class->takes_anything;
    if (from.its_class)
        for (const Parameter& parameter : from.its_class->child_parameters)
            shape.parameters.push_back(&parameter);
    const JsonNode no_parameters{.kind = JsonKind::object};
    for (std::size_t i = 0; i < count; ++i) {
        const FileNode item{children->items[i], from.from.file};
        const auto child = read_child(item);
        if (!child) result_.has_all_children = false;
        ChildPlan planned{child.value_or(entry)};
        if (item.node.find("child")) {
            if (from.its_class) planned.values = values_.read_object(item, shape);
        } else {
            JsonNode bare = no_parameters;
            bare.offset = item.node.offset;
            planned.values = values_.read_object({bare, item.file}, shape);
        }
        if (child) result_.plan.entries[entry].children.push_back(std::move(planned));
    }
}

std::optional<std::size_t> TreeReader::read_child(FileNode item) {
    const JsonNode* slot = item.node.find("child");
    const FileNode child{slot ? *slot : item.node, item.file};
    if (const auto found = inline_.find(&child.node); found != inline_.end()) return found->second;
    if (child.node.is(JsonKind::text)) return find_id(child, "child");
    if (has_too_many_ && child.node.find("class")) return std::nullopt;  // the limit is reported
    faults_.add(child.place(),
                child.node.is(JsonKind::object)
                    ? "a child is an id, an entry with `class`, or an object with `child`"
                    : fmt::format("a child is an id or an entry, not {}", name_of(child.node.kind)));
    return std::nullopt;
}

}  // namespace caribou::behavior
