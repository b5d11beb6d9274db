#include "behavior/arguments.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "behavior/class_registry.hpp"

namespace caribou::behavior {

const Parameter& Arguments::declared(std::string_view name) const {
    const auto found = std::ranges::find(declared_, name, &Parameter::name);
    check(found != declared_.end(), "a class asks only for parameters that it declares");
    return *found;
}

const ParameterValue* Arguments::find(std::string_view name) const {
    const Parameter& parameter = declared(name);
    if (const auto given = given_.find(name); given != given_.end()) return &given->second;
    return parameter.fallback ? &*parameter.fallback : nullptr;
}

template <class T>
T Arguments::get(std::string_view name) const {
    const ParameterValue* value = find(name);
    if (!value) return T{};
    const T* typed = std::get_if<T>(value);
    check(typed != nullptr, "a class asks for a parameter by its declared kind");
    return *typed;
}

template bool Arguments::get<bool>(std::string_view) const;
template double Arguments::get<double>(std::string_view) const;
template std::string Arguments::get<std::string>(std::string_view) const;
template Duration Arguments::get<Duration>(std::string_view) const;
template std::vector<std::string> Arguments::get<std::vector<std::string>>(std::string_view) const;

bool Arguments::is_word(std::string_view name, std::string_view word) const {
    const ParameterValue* value = find(name);
    const std::string* text = value ? std::get_if<std::string>(value) : nullptr;
    return text && *text == word;
}

Value Arguments::value(std::string_view name) const {
    const ParameterValue* value = find(name);
    if (!value) return false;
    if (const bool* truth = std::get_if<bool>(value)) return *truth;
    if (const double* number = std::get_if<double>(value)) return *number;
    return get<std::string>(name);
}

std::vector<ConditionPtr> Arguments::conditions(std::string_view name) const {
    std::vector<ConditionPtr> made;
    for (const PartPlan& plan : get<std::vector<PartPlan>>(name))
        made.push_back(classes_.make_condition(plan));
    return made;
}

std::vector<std::unique_ptr<Action>> Arguments::actions(std::string_view name) const {
    std::vector<std::unique_ptr<Action>> made;
    for (const PartPlan& plan : get<std::vector<PartPlan>>(name)) made.push_back(classes_.make_action(plan));
    return made;
}

ConditionPtr Arguments::condition(std::string_view name) const {
    auto made = conditions(name);
    return made.empty() ? nullptr : std::move(made.front());
}

std::unique_ptr<Action> Arguments::action(std::string_view name) const {
    auto made = actions(name);
    return made.empty() ? nullptr : std::move(made.front());
}

std::vector<Arguments> Arguments::records(std::string_view name) const {
    std::vector<Arguments> records;
    const ParameterValue* value = find(name);
    if (!value) return records;
    const auto* plans = std::get_if<std::vector<PartPlan>>(value);
    check(plans != nullptr, "a class asks for a parameter by its declared kind");
    for (const PartPlan& plan : *plans) records.emplace_back(plan.values, declared(name).fields, classes_);
    return records;
}

}  // namespace caribou::behavior
