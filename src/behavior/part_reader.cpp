// The part of ValueReader that reads conditions and actions.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/suggestion.hpp"
#include "behavior/value_reader.hpp"

namespace caribou::behavior {
namespace {

using JsonKind = JsonNode::Kind;

struct Extent {
    std::size_t parts = 0;
    std::size_t depth = 0;
};

Extent extent_of(const PartPlan& plan) {
    Extent whole{plan.class_name.empty() ? 0U : 1U, 0};
    for (const auto& [name, value] : plan.values) {
        const auto* inner = std::get_if<std::vector<PartPlan>>(&value);
        if (!inner) continue;
        for (const PartPlan& part : *inner) {
            const Extent extent = extent_of(part);
            whole.parts += extent.parts;
            whole.depth = std::max(whole.depth, extent.depth);
        }
    }
    ++whole.depth;
    return whole;
}

bool is_written_as_text(std::string_view name, const std::vector<Parameter>& parameters) {
    return !main_parameter(name, parameters);
}

/// Returns whether the name alone suffices, because all parameters have defaults.
bool may_be_text(std::string_view name, const std::vector<Parameter>& parameters) {
    const Parameter* const main = main_parameter(name, parameters);
    return !main || (main->fallback && std::ranges::none_of(parameters, &Parameter::required));
}

}  // namespace

void ValueReader::define_conditions(FileNode conditions) {
    if (!conditions.node.is(JsonKind::object)) {
        faults_.add(conditions.place(),
                    fmt::format("`conditions` is an object with a condition for each name, not {}",
                                name_of(conditions.node.kind)));
        return;
    }
    for (std::size_t i = 0; i < conditions.node.items.size(); ++i) {
        const FileNode item = conditions.item(i);
        const std::string& name = item.node.key;
        if (classes_.conditions().contains(name))
            faults_.add(item.key_place(),
                        fmt::format("`{}` is a class of conditions: take another name", name));
        else if (const auto [known, is_new] = named_.try_emplace(name, item); !is_new)
            faults_.add(item.key_place(), fmt::format("the condition `{}` is defined already, at {}", name,
                                                      faults_.describe(known->second.from.key_place())));
    }
}

void ValueReader::read_named_conditions() {
    for (auto& [name, named] : named_)
        if (named.state == Named::State::unread) std::ignore = read_named(named.from, named);
}

std::vector<std::pair<std::string, Place>> ValueReader::unused_conditions() const {
    std::vector<std::pair<std::string, Place>> unused;
    for (const auto& [name, named] : named_)
        if (!named.used) unused.emplace_back(name, named.from.key_place());
    return unused;
}

std::optional<PartPlan> ValueReader::read_named(FileNode node, Named& named) {
    if (named.state == Named::State::being_read) {
        faults_.add(node.place(), fmt::format("the condition `{}` refers to itself", named.from.node.key));
        return std::nullopt;
    }
    if (named.state == Named::State::unread) {
        named.state = Named::State::being_read;
        named.plan = read_condition(named.from);
        named.state = Named::State::read;
        return named.plan;
    }
    if (!named.plan) return std::nullopt;  // reported at its definition
    const Extent extent = extent_of(*named.plan);
    if (!count_parts(node, extent.parts, extent.depth)) return std::nullopt;
    return named.plan;
}

bool ValueReader::count_parts(FileNode node, std::size_t parts, std::size_t depth) {
    if (depth_ + depth > limits_.part_depth) {
        faults_.add(node.place(), limit_reached("part_depth", depth_ + depth, limits_.part_depth, "levels"));
        return false;
    }
    const bool were_few = parts_ <= limits_.parts;
    parts_ += parts;
    if (parts_ <= limits_.parts) return true;
    if (were_few)
        faults_.add(node.place(), limit_reached("parts", parts_, limits_.parts, "conditions and actions"));
    return false;
}

std::optional<PartPlan> ValueReader::read_condition(FileNode node) {
    if (node.node.is(JsonKind::text)) return read_condition_name(node);
    return read_part(node, classes_.conditions(), "condition");
}

std::optional<PartPlan> ValueReader::read_action(FileNode node) {
    if (node.node.is(JsonKind::text)) return read_part_name(node, classes_.actions(), "action", {});
    return read_part(node, classes_.actions(), "action");
}

std::optional<PartPlan> ValueReader::read_condition_name(FileNode node) {
    const auto named = named_.find(node.node.text);
    if (named == named_.end()) {
        std::vector<std::string> known;
        for (const auto& [name, from] : named_) known.push_back(name);
        return read_part_name(node, classes_.conditions(), "condition", std::move(known));
    }
    named->second.used = true;
    // Only a condition that is being read for the first time can form a cycle or increase the depth.
    if (!count_parts(node, 0, 1)) return std::nullopt;
    ++depth_;
    auto plan = read_named(node, named->second);
    --depth_;
    return plan;
}

template <class Class>
std::optional<PartPlan> ValueReader::read_part_name(FileNode node,
                                                    const ClassRegistry::Classes<Class>& classes,
                                                    std::string_view word, std::vector<std::string> known) {
    const std::string& name = node.node.text;
    const auto found = classes.find(name);
    const bool takes_anything = found != classes.end() && found->second.takes_anything;
    if (takes_anything || (found != classes.end() && may_be_text(name, found->second.parameters))) {
        if (!count_parts(node, 1, 1)) return std::nullopt;
        return PartPlan{name, {}};
    }
    if (found != classes.end()) {
        faults_.add(node.place(),
                    fmt::format("the {} `{}` takes a parameter: {{\"{}\": …}}", word, name, name));
        return std::nullopt;
    }
    for (const auto& [other, part_class] : classes)
        if (may_be_text(other, part_class.parameters)) known.push_back(other);
    faults_.add(node.place(), fmt::format("no {} is called `{}`{}", word, name, instead_of(name, known)));
    return std::nullopt;
}

template <class Class>
std::optional<PartPlan> ValueReader::read_part(FileNode node, const ClassRegistry::Classes<Class>& classes,
                                               std::string_view word) {
    if (!node.node.is(JsonKind::object)) {
        faults_.add(node.place(), fmt::format("expected {} {}, found {}", word == "action" ? "an" : "a", word,
                                              name_of(node.node.kind)));
        return std::nullopt;
    }
    const auto& items = node.node.items;
    const auto head =
        std::ranges::find_if(items, [&](const JsonNode& item) { return classes.contains(item.key); });
    if (head == items.end()) {
        std::vector<std::string> known;
        for (const auto& [name, part_class] : classes) known.push_back(name);
        const std::string first = items.empty() ? "" : items.front().key;
        faults_.add(node.place(),
                    fmt::format("no {} begins with `{}`{}", word, first, instead_of(first, known)));
        return std::nullopt;
    }
    const Class& part_class = classes.find(head->key)->second;
    if (!part_class.takes_anything && is_written_as_text(part_class.name, part_class.parameters)) {
        faults_.add(node.place(),
                    fmt::format("the {} `{}` is written as a text: \"{}\"", word, head->key, head->key));
        return std::nullopt;
    }
    if (!count_parts(node, 1, 1)) return std::nullopt;
    ObjectShape shape{.owner = fmt::format("the {} `{}`", word, part_class.name),
                      .takes_anything = part_class.takes_anything,
                      .elsewhere = fmt::format("it is a {} of its own, for an object of its own", word)};
    for (const Parameter& parameter : part_class.parameters) shape.parameters.push_back(&parameter);
    for (const auto& [name, other] : classes) shape.elsewhere_keys.push_back(name);
    ++depth_;
    PartPlan plan{part_class.name, read_object(node, shape)};
    --depth_;
    if (part_class.contradictions)
        for (std::string& sentence : part_class.contradictions(plan.values))
            faults_.add(node.place(), std::move(sentence));
    return plan;
}

}  // namespace caribou::behavior
