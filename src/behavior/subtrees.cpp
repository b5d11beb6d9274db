#include "behavior/subtrees.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/suggestion.hpp"
#include "behavior/entry_parameters.hpp"

namespace caribou::behavior {
namespace {

using JsonKind = JsonNode::Kind;
using Kind = Parameter::Kind;
using Bindings = std::map<std::string, const JsonNode*, std::less<>>;

constexpr std::string_view wrapper_class = "pass_through";
/// Keys of a use that do not come from the subtree or from the parameters of every entry.
constexpr std::string_view entry_keys[] = {"class", "id", "note"};

std::vector<Parameter> port_parameters() {
    return {{.name = "type",
             .kind = Kind::word,
             .words = {"bool", "number", "text", "duration", "condition", "action", "fact", "behavior"}},
            {.name = "of", .kind = Kind::word, .words = {"bool", "number", "text"}},
            {.name = "min", .kind = Kind::number},
            {.name = "max", .kind = Kind::number},
            {.name = "about", .kind = Kind::text}};
}

Kind port_kind(std::string_view type) {
    if (type == "bool") return Kind::flag;
    if (type == "number") return Kind::number;
    if (type == "duration") return Kind::duration;
    if (type == "condition") return Kind::condition;
    if (type == "action") return Kind::action;
    if (type == "fact") return Kind::fact;
    return Kind::text;
}

JsonNode text_node(std::string text, const JsonNode& in_place_of) {
    return {.kind = JsonKind::text,
            .text = std::move(text),
            .key = in_place_of.key,
            .offset = in_place_of.offset,
            .key_offset = in_place_of.key_offset};
}

/// Returns the node without its items.
JsonNode bare(const JsonNode& node) {
    return {.kind = node.kind,
            .truth = node.truth,
            .number = node.number,
            .text = node.text,
            .key = node.key,
            .offset = node.offset,
            .key_offset = node.key_offset};
}

std::size_t count_values(const JsonNode& node) {
    std::size_t count = 1;
    for (const JsonNode& item : node.items) count += count_values(item);
    return count;
}

void move_to(JsonNode& node, std::size_t offset) {
    node.offset = node.key_offset = offset;
    for (JsonNode& item : node.items) move_to(item, offset);
}

void collect_ids(const JsonNode& node, std::set<std::string, std::less<>>& ids) {
    const JsonNode* id = node.find("class") ? node.find("id") : nullptr;
    if (id && id->is(JsonKind::text)) ids.insert(id->text);
    for (const JsonNode& item : node.items) collect_ids(item, ids);
}

bool is_reference(const JsonNode& node) { return node.is(JsonKind::text) && node.text.starts_with('$'); }

}  // namespace

/// Copies a subtree for one use.
struct Subtrees::Copier {
    Subtrees& owner;
    const Subtree& subtree;
    const Bindings& bindings;
    const std::string& prefix;  ///< the id of the use, and a dot
    bool failed = false;

    JsonNode copy(const JsonNode& node) {
        if (!count(1, node)) return {};
        if (is_reference(node)) return replaced(node);
        JsonNode made = bare(node);
        for (const JsonNode& item : node.items) {
            if (failed) break;
            const bool is_id = item.key == "id" && node.find("class");
            const bool is_child = item.key == "child";
            if (item.key == "children" && item.is(JsonKind::list))
                made.items.push_back(copy_children(item));
            else
                made.items.push_back((is_id || is_child) && !is_reference(item) ? renamed(item) : copy(item));
        }
        return made;
    }

private:
    JsonNode copy_children(const JsonNode& list) {
        JsonNode made = bare(list);
        for (const JsonNode& item : list.items)
            made.items.push_back(is_reference(item) ? copy(item) : renamed(item));
        return made;
    }
    /// An id of the subtree itself gets the prefix; everything else is copied.
    JsonNode renamed(const JsonNode& node) {
        if (!node.is(JsonKind::text) || !subtree.ids.contains(node.text)) return copy(node);
        return text_node(prefix + node.text, node);
    }
    JsonNode replaced(const JsonNode& node) {
        const std::string_view name = std::string_view(node.text).substr(1);
        if (name.starts_with('$')) return text_node(std::string(name), node);
        const auto bound = bindings.find(name);
        if (bound == bindings.end()) {
            std::vector<std::string> known;
            for (const auto& [other, argument] : bindings) known.push_back(other);
            if (name.find_first_of(" <>=!+-*/()") != std::string_view::npos) {
                owner.faults_.add(
                    {subtree.from.file, node.offset},
                    "an expression cannot use `$`, the parameters and facts of a subtree; compare "
                    "them with `{\"fact\": \"$NAME\", \"<\": \"$OTHER\"}`, and count with `add`");
                failed = true;
                return {};
            }
            owner.faults_.add({subtree.from.file, node.offset},
                              fmt::format("the subtree `{}` has no parameter or fact `{}`{}", subtree.name,
                                          name, instead_of(name, known)));
            failed = true;
            return {};
        }
        if (!count(count_values(*bound->second), node)) return {};
        JsonNode made = *bound->second;
        made.key = node.key;
        move_to(made, node.offset);
        made.key_offset = node.key_offset;
        return made;
    }
    /// Counts copied values. Returns false if there are too many.
    bool count(std::size_t values, const JsonNode& node) {
        owner.copied_ += values;
        if (owner.copied_ <= owner.limits_.json.values) return true;
        if (!failed)
            owner.faults_.add({subtree.from.file, node.offset},
                              limit_reached("values", owner.copied_, owner.limits_.json.values,
                                            "values in copies of subtrees"));
        failed = true;
        return false;
    }
};

void Subtrees::define(FileNode subtrees) {
    if (!subtrees.node.is(JsonKind::object)) {
        faults_.add(subtrees.place(),
                    fmt::format("`subtrees` is an object with a subtree for each name, not {}",
                                name_of(subtrees.node.kind)));
        return;
    }
    for (std::size_t i = 0; i < subtrees.node.items.size(); ++i) define_one(subtrees.item(i));
}

void Subtrees::define_one(FileNode item) {
    const std::string& name = item.node.key;
    if (!is_class_name(name) || classes_.behaviors().contains(name) || subtrees_.contains(name)) {
        const char* const why = !is_class_name(name)       ? "expected letters, digits and underscores"
                                : subtrees_.contains(name) ? "it is defined already"
                                                           : "it is a class of behaviors";
        faults_.add(item.key_place(), fmt::format("`{}` cannot be the name of a subtree: {}", name, why));
        return;
    }
    Subtree& subtree = subtrees_.emplace(name, Subtree{name, item}).first->second;
    const std::string owner = fmt::format("the subtree `{}`", name);
    if (!item.node.is(JsonKind::object)) {
        faults_.add(item.place(),
                    fmt::format("{} is an object with `behavior`, not {}", owner, name_of(item.node.kind)));
        return;
    }
    values_.read_object(item, {.owner = owner, .other_keys = {"parameters", "facts", "behavior", "about"}});
    const JsonNode* behavior = item.node.find("behavior");
    if (!behavior || !behavior->find("class")) {
        const Place place = behavior ? Place{item.file, behavior->offset} : item.place();
        faults_.add(place, fmt::format("{} needs `behavior`: an entry with `class`", owner));
        return;
    }
    subtree.facts = item.node.find("facts");
    collect_ids(*behavior, subtree.ids);
    if (define_parameters(item, subtree)) subtree.behavior = behavior;
}

bool Subtrees::define_parameters(FileNode item, Subtree& subtree) {
    const JsonNode* parameters = item.node.find("parameters");
    if (!parameters) return true;
    if (!parameters->is(JsonKind::object)) {
        faults_.add({item.file, parameters->offset},
                    fmt::format("`parameters` is an object with a declaration for each name, not {}",
                                name_of(parameters->kind)));
        return false;
    }
    bool is_good = true;
    for (const JsonNode& one : parameters->items)
        is_good = define_parameter({one, item.file}, subtree) && is_good;
    return is_good;
}

bool Subtrees::define_parameter(FileNode item, Subtree& subtree) {
    Subtree::Port port{.parameter = {.name = item.node.key}};
    const bool is_taken =
        is_entry_key(item.node.key) || std::ranges::any_of(subtree.ports, [&](const Subtree::Port& known) {
            return known.parameter.name == item.node.key;
        });
    if (!is_class_name(item.node.key) || is_taken) {
        faults_.add(item.key_place(), fmt::format("`{}` cannot be the name of a parameter{}", item.node.key,
                                                  is_taken ? ": it is taken" : ""));
        return false;
    }
    switch (item.node.kind) {
        case JsonKind::truth: port.parameter.kind = Kind::flag; break;
        case JsonKind::number: port.parameter.kind = Kind::number; break;
        case JsonKind::text: port.parameter.kind = Kind::text; break;
        case JsonKind::object: return declare_parameter(item, std::move(port), subtree);
        default:
            faults_.add(item.place(),
                        fmt::format("a parameter is an object with `type`, or its default, not {}",
                                    name_of(item.node.kind)));
            return false;
    }
    port.fallback = &item.node;
    subtree.ports.push_back(std::move(port));
    return true;
}

bool Subtrees::declare_parameter(FileNode item, Subtree::Port port, Subtree& subtree) {
    const std::vector<Parameter> keys = port_parameters();
    ObjectShape shape{.owner = fmt::format("the parameter `{}`", item.node.key), .other_keys = {"default"}};
    for (const Parameter& key : keys) shape.parameters.push_back(&key);
    const ParameterValues given_keys = values_.read_object(item, shape);
    const auto* type = given<std::string>(given_keys, "type");
    if (!type) {
        if (!item.node.find("type"))
            faults_.add(item.place(), fmt::format("the parameter `{}` needs `type`", item.node.key));
        return false;
    }
    port.parameter.kind = port_kind(*type);
    port.parameter.fact_use = FactUse::names;
    port.is_behavior = *type == "behavior";
    if (const auto* of = given<std::string>(given_keys, "of")) port.of = fact_type_from(*of);
    if (const auto* min = given<double>(given_keys, "min")) port.parameter.min = *min;
    if (const auto* max = given<double>(given_keys, "max")) port.parameter.max = *max;
    if (const auto* about = given<std::string>(given_keys, "about")) port.parameter.about = *about;
    port.fallback = item.node.find("default");
    subtree.ports.push_back(std::move(port));
    return true;
}

const Subtrees::Subtree* Subtrees::find(std::string_view name) const {
    const auto found = subtrees_.find(name);
    return found == subtrees_.end() ? nullptr : &found->second;
}

void Subtrees::add_names(std::vector<std::string>& to) const {
    for (const auto& [name, subtree] : subtrees_) to.push_back(name);
}

std::size_t Subtrees::file_of(const Subtree& subtree) { return subtree.from.file; }

std::vector<std::pair<std::string, Place>> Subtrees::unused() const {
    std::vector<std::pair<std::string, Place>> names;
    for (const auto& [name, subtree] : subtrees_)
        if (!used_.contains(name)) names.emplace_back(name, subtree.from.key_place());
    return names;
}

std::optional<Bindings> Subtrees::arguments_of(FileNode use, const Subtree& subtree) {
    ObjectShape shape{.owner = fmt::format("the subtree `{}`", subtree.name)};
    shape.other_keys.assign(std::begin(entry_keys), std::end(entry_keys));
    for (const Parameter& each : entry_parameters()) shape.other_keys.push_back(each.name);
    for (const Subtree::Port& port : subtree.ports) {
        if (port.is_behavior)
            shape.other_keys.push_back(port.parameter.name);
        else
            shape.parameters.push_back(&port.parameter);
    }
    const ParameterValues values = values_.read_object(use, shape);
    Bindings bindings;
    bool is_good = true;
    for (const JsonNode& item : use.node.items) {
        const auto is_known = [&](std::string_view key) { return key == item.key; };
        const bool is_port = std::ranges::any_of(
            subtree.ports, [&](const Subtree::Port& port) { return port.parameter.name == item.key; });
        is_good = is_good && (is_port || std::ranges::any_of(shape.other_keys, is_known));
    }
    for (const Subtree::Port& port : subtree.ports) {
        const std::string& name = port.parameter.name;
        const JsonNode* argument = use.node.find(name);
        if (!argument && !port.fallback)
            faults_.add(use.place(),
                        fmt::format("{} needs `{}`{}{}", shape.owner, name,
                                    port.parameter.about.empty() ? "" : ": ", port.parameter.about));
        is_good = is_good && (argument || port.fallback) &&
                  (!argument || port.is_behavior || values.contains(name));
        const auto* fact = port.of ? given<std::string>(values, name) : nullptr;
        const FactDeclaration* declared = fact ? values_.find_declared(*fact) : nullptr;
        if (declared && !declared->is_family() && declared->type != *port.of) {
            faults_.add({use.file, argument->offset},
                        fmt::format("`{}` is {}; expected {}", *fact, describe(*declared),
                                    describe(FactDeclaration{.type = *port.of})));
            is_good = false;
        }
        bindings.emplace(name, argument ? argument : port.fallback);
    }
    return is_good ? std::optional(std::move(bindings)) : std::nullopt;
}

const JsonNode* Subtrees::expand(FileNode use, const Subtree& subtree, const std::string& id) {
    used_.insert(subtree.name);
    if (!subtree.behavior) return nullptr;
    auto bindings = arguments_of(use, subtree);
    if (!bindings) return nullptr;
    const bool has_facts = subtree.facts && subtree.facts->is(JsonKind::object);
    if (id.empty() && (has_facts || !subtree.ids.empty())) {
        faults_.add(use.place(),
                    fmt::format("a use of the subtree `{}` needs an `id`: its behaviors and facts "
                                "are named after it",
                                subtree.name));
        return nullptr;
    }
    const std::string prefix = id + ".";
    for (const std::string& own : subtree.ids)
        if (prefix.size() + own.size() > limits_.id_length) {
            faults_.add(use.place(), fmt::format("the id `{}{}` is longer than {} characters", prefix, own,
                                                 limits_.id_length));
            return nullptr;
        }
    if (has_facts)
        for (const JsonNode& fact : subtree.facts->items)
            if (!bindings->try_emplace(fact.key, &copies_.emplace_back(text_node(prefix + fact.key, fact)))
                     .second)
                faults_.add(
                    {subtree.from.file, fact.key_offset},
                    fmt::format("`{}` is already a parameter of the subtree `{}`", fact.key, subtree.name));
    Copier copier{*this, subtree, *bindings, prefix};
    if (subtree.facts) {
        JsonNode& facts = copies_.emplace_back(copier.copy(*subtree.facts));
        for (JsonNode& fact : facts.items) fact.key = prefix + fact.key;
        if (!copier.failed) values_.define_facts({facts, subtree.from.file});
    }
    JsonNode body = copier.copy(*subtree.behavior);
    body.key.clear();
    if (copier.failed) return nullptr;
    JsonNode wrapper{.kind = JsonKind::object, .offset = use.node.offset, .key_offset = use.node.key_offset};
    for (const JsonNode& item : use.node.items)
        if (is_entry_key(item.key) && item.key != "children") {
            wrapper.items.push_back(item);
            if (item.key == "class") wrapper.items.back().text = wrapper_class;
        }
    wrapper.items.push_back({.kind = JsonKind::list,
                             .items = {std::move(body)},
                             .key = "children",
                             .offset = use.node.offset,
                             .key_offset = use.node.offset});
    return &copies_.emplace_back(std::move(wrapper));
}

}  // namespace caribou::behavior
