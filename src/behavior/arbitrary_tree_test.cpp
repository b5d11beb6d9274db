#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "behavior/arbitrary_tree.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/entry_parameters.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/tree_writer.hpp"

namespace caribou::behavior {

using Kind = Parameter::Kind;

ArbitraryTree::ArbitraryTree(const ClassRegistry& classes) : classes_(classes) {
    for (const auto& [name, its_class] : classes.behaviors()) names_.push_back(name);
}

TreePlan ArbitraryTree::draw() {
    plan_ = {};
    draw_entry("robot", *rc::gen::elementOf(names_), 4);
    return plan_;
}

void ArbitraryTree::draw_entry(std::string id, const std::string& class_name, int depth) {
    const std::size_t entry = plan_.entries.size();
    const BehaviorClass& its_class = classes_.behaviors().at(class_name);
    plan_.entries.push_back({std::move(id), class_name, {}, {}});
    ParameterValues values = draw_values(its_class.parameters, 3);
    values.merge(draw_values(entry_parameters(), 2));
    values.erase("needs_ensured");  // check_tree() decides whether it is ensured
    plan_.entries[entry].values = std::move(values);
    if (its_class.max_children > 0) draw_children(entry, depth);
}

void ArbitraryTree::draw_children(std::size_t entry, int depth) {
    const BehaviorClass& its_class = classes_.behaviors().at(plan_.entries[entry].class_name);
    const std::size_t most = std::min<std::size_t>(its_class.max_children, 4);
    const auto count = *rc::gen::inRange<std::size_t>(its_class.min_children, most + 1);
    std::map<std::string, std::size_t> anonymous;
    for (std::size_t i = 0; i < count; ++i) {
        plan_.entries[entry].children.push_back(
            {plan_.entries.size(), draw_values(its_class.child_parameters, 2)});
        const std::string class_name = depth > 1 ? *rc::gen::elementOf(names_) : std::string("idle");
        draw_entry(draw_id(entry, class_name, anonymous), class_name, depth - 1);
    }
    TreeEntry& done = plan_.entries[entry];
    if (done.class_name == "state_machine")
        connect_states(done);
    else if (its_class.contradictions && !its_class.contradictions(done).empty())
        for (ChildPlan& child : done.children) child.values.clear();
}

std::string ArbitraryTree::draw_id(std::size_t parent, const std::string& class_name,
                                   std::map<std::string, std::size_t>& anonymous) {
    if (*rc::gen::arbitrary<bool>()) return fmt::format("b{}", plan_.entries.size());
    const std::string id = fmt::format("{}/{}", plan_.entries[parent].id, class_name);
    const std::size_t n = ++anonymous[id];
    return n == 1 ? id : fmt::format("{}#{}", id, n);
}

/// Names the states and adds a transition from each to the next, so that all are reached.
void ArbitraryTree::connect_states(TreeEntry& machine) {
    for (std::size_t i = 0; i < machine.children.size(); ++i) {
        ParameterValues& values = machine.children[i].values;
        values = {{"state", fmt::format("s{}", i)}};
        if (i + 1 == machine.children.size()) break;
        PartPlan onward{"", {{"to", fmt::format("s{}", i + 1)}, {"kind", std::string("when_idle")}}};
        onward.values["when"] = draw_parts({.kind = Kind::condition}, 2);
        values["transitions"] = std::vector<PartPlan>{std::move(onward)};
    }
}

ParameterValues ArbitraryTree::draw_values(const std::vector<Parameter>& parameters, int depth) {
    ParameterValues values;
    for (const Parameter& parameter : parameters)
        if (parameter.required || *rc::gen::inRange(0, 4) == 0)
            values.emplace(parameter.name, draw_value(parameter, depth));
    return values;
}

ParameterValue ArbitraryTree::draw_value(const Parameter& parameter, int depth) {
    const auto text = [] { return *rc::gen::nonEmpty(rc::gen::string<std::string>()); };
    // The reader requires UTF-8; characters beyond ASCII are covered by the tests of the reader.
    const auto ascii = [&] {
        std::string drawn = text();
        for (char& c : drawn) c = static_cast<char>(c & 0x7F);
        return drawn;
    };
    switch (parameter.kind) {
        case Kind::flag: return *rc::gen::arbitrary<bool>();
        case Kind::number:
        case Kind::count: {
            const double low = std::max(parameter.min, -1000.0);
            const double high = std::min(parameter.max, 1000.0);
            const double drawn = low + *rc::gen::inRange(0, 1000) * (high - low) / 1000;
            return parameter.kind == Kind::count ? std::trunc(drawn) : drawn;
        }
        case Kind::text:
        case Kind::fact: return ascii();
        case Kind::word: return *rc::gen::elementOf(parameter.words);
        case Kind::duration:
            if (!parameter.words.empty() && *rc::gen::inRange(0, 4) == 0)
                return *rc::gen::elementOf(parameter.words);
            return Duration(*rc::gen::inRange<Duration::rep>(0, 1'000'000'000'000));
        case Kind::texts: return std::vector<std::string>{ascii(), ascii()};
        case Kind::value:
            if (*rc::gen::arbitrary<bool>()) return *rc::gen::arbitrary<bool>();
            return *rc::gen::arbitrary<bool>() ? ParameterValue(*rc::gen::inRange(-1000, 1000) / 8.0)
                                               : ParameterValue(ascii());
        default: return draw_parts(parameter, depth);
    }
}

ParameterValue ArbitraryTree::draw_parts(const Parameter& parameter, int depth) {
    const bool is_one = parameter.kind == Kind::condition || parameter.kind == Kind::action;
    const bool is_condition = parameter.kind == Kind::condition || parameter.kind == Kind::conditions;
    const int count = is_one ? 1 : *rc::gen::inRange(0, 3);
    std::vector<PartPlan> parts;
    for (int i = 0; i < count; ++i)
        parts.push_back(is_condition ? draw_part(classes_.conditions(), "fact", depth)
                                     : draw_part(classes_.actions(), "wait", depth));
    return parts;
}

template <class Class>
PartPlan ArbitraryTree::draw_part(const ClassRegistry::Classes<Class>& classes, const std::string& leaf,
                                  int depth) {
    std::vector<std::string> names;
    for (const auto& [name, part_class] : classes) names.push_back(name);
    const std::string name = depth > 0 ? *rc::gen::elementOf(names) : leaf;
    const Class& part_class = classes.at(name);
    PartPlan plan{name, draw_values(part_class.parameters, depth - 1)};
    if (part_class.contradictions && !part_class.contradictions(plan.values).empty())
        plan.values = {{name, plan.values.at(name)}};
    return plan;
}

namespace {

RC_GTEST_PROP(WriteTree, WritesWhatLoadsToTheSameTree, ()) {
    ClassRegistry registry;
    register_engine_classes(registry);
    const TreePlan plan = ArbitraryTree(registry).draw();
    const std::vector<TreeText> files{{"drawn.json", write_tree(plan)}};
    RC_LOG() << files.front().text;
    const auto loaded = load_tree(files, registry);
    if (!loaded) RC_LOG() << to_string(loaded.error());
    RC_ASSERT(loaded.has_value());
    RC_ASSERT(loaded->plan == plan);
    RC_ASSERT(loaded->tree->size() == plan.entries.size());
    for (std::size_t i = 0; i < plan.entries.size(); ++i)
        RC_ASSERT((*loaded->tree)[i].id() == plan.entries[i].id);
}

}  // namespace
}  // namespace caribou::behavior
