#include "behavior/class_registry.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/check.hpp"
#include "behavior/entry_parameters.hpp"

namespace caribou::behavior {
namespace {

template <class Class>
void add_to(ClassRegistry::Classes<Class>& classes, Class added) {
    check(is_class_name(added.name), "the name of a class is made of letters, digits and underscores");
    check(static_cast<bool>(added.make), "a class can make its objects");
    const auto [place, is_new] = classes.try_emplace(added.name, std::move(added));
    check(is_new, "no two classes of a kind have the same name");
}

template <class Made>
void check_main_parameter(const PartClass<Made>& added) {
    const bool by_text = std::ranges::none_of(added.parameters, &Parameter::required);
    check(by_text || main_parameter(added.name, added.parameters),
          "a class with required parameters has a main one, of its own name");
}

template <class Class>
auto make_from(const ClassRegistry::Classes<Class>& classes, const PartPlan& plan,
               const ClassRegistry& registry) {
    const auto found = classes.find(plan.class_name);
    check(found != classes.end(), "a plan is made with the registry that it was read with");
    auto made = found->second.make(Arguments(plan.values, found->second.parameters, registry));
    check(made != nullptr, "a class of conditions or actions makes an object");
    return made;
}

}  // namespace

void ClassRegistry::add(BehaviorClass added) {
    const auto is_taken = [](const Parameter& p) { return is_entry_key(p.name); };
    check(std::ranges::none_of(added.parameters, is_taken), "a parameter has no name that every entry has");
    check(added.max_children == 0 || added.link, "a class with children can link them");
    add_to(behaviors_, std::move(added));
}

void ClassRegistry::add(ConditionClass added) {
    check_main_parameter(added);
    add_to(conditions_, std::move(added));
}

void ClassRegistry::add(ActionClass added) {
    check_main_parameter(added);
    add_to(actions_, std::move(added));
}

void ClassRegistry::replace(BehaviorClass added) {
    behaviors_.erase(added.name);
    add(std::move(added));
}

void ClassRegistry::replace(ConditionClass added) {
    conditions_.erase(added.name);
    add(std::move(added));
}

void ClassRegistry::replace(ActionClass added) {
    actions_.erase(added.name);
    add(std::move(added));
}

void ClassRegistry::add(RequirementWord added) {
    check(is_class_name(added.name), "a requirement is made of letters, digits and underscores");
    const auto [place, is_new] = requirements_.try_emplace(added.name, std::move(added));
    check(is_new, "no two requirements have the same name");
}

void ClassRegistry::add(SensorModeWord added) {
    check(is_class_name(added.name), "a sensor mode is made of letters, digits and underscores");
    const auto [place, is_new] = sensor_modes_.try_emplace(added.name, std::move(added));
    check(is_new, "no two sensor modes have the same name");
}

void ClassRegistry::add(FactDeclaration added) {
    check(!added.name.empty(), "a fact has a name");
    std::string name = added.name;
    check(facts_.try_emplace(std::move(name), std::move(added)).second, "no two facts have the same name");
}

std::vector<std::string> ClassRegistry::needs_of(std::string_view requirement) const {
    const auto found = requirements_.find(requirement);
    return found == requirements_.end() ? std::vector<std::string>{} : found->second.needs_ensured;
}

ConditionPtr ClassRegistry::make_condition(const PartPlan& plan) const {
    return make_from(conditions_, plan, *this);
}

std::unique_ptr<Action> ClassRegistry::make_action(const PartPlan& plan) const {
    return make_from(actions_, plan, *this);
}

bool is_class_name(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
}

const Parameter* main_parameter(std::string_view class_name, std::span<const Parameter> parameters) {
    const auto found = std::ranges::find(parameters, class_name, &Parameter::name);
    return found == parameters.end() ? nullptr : &*found;
}

}  // namespace caribou::behavior
