#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/arguments.hpp"
#include "behavior/behavior.hpp"
#include "behavior/parameter.hpp"

namespace caribou::behavior {

struct TreeEntry;

/// A child that is handed to its parent, with the parent's parameters for it.
struct LinkedChild {
    Behavior& behavior;
    Arguments arguments;
};

/// A class of behaviors that files can name.
struct BehaviorClass {
    std::string name{};   ///< letters, digits and underscores
    std::string about{};  ///< one line, for people
    std::vector<Parameter> parameters{};
    /// For stand-ins of classes that are not here: keys that are not declared are passed over.
    bool takes_anything = false;
    std::size_t min_children = 0;
    std::size_t max_children = 0;
    std::vector<Parameter> child_parameters{};
    /// Added to what the instance declares itself; see OperationModifiers.
    std::vector<std::string> ensures{};
    std::vector<std::string> needs_ensured{};
    /// What cannot work although each parameter is right by itself: one sentence each. May be empty.
    std::function<std::vector<std::string>(const TreeEntry&)> contradictions{};
    std::function<std::unique_ptr<Behavior>(std::string id, const Arguments&)> make{};
    /// Called once, with all children, if there are any. May be empty for classes without.
    std::function<Result<void>(Behavior&, std::span<const LinkedChild>)> link{};
};

/// A link function for a class of one's own: `link_as<Queue>([](Queue& queue, auto children) {…})`.
template <class T, class Link>
auto link_as(Link link) {
    return [link](Behavior& behavior, std::span<const LinkedChild> children) -> Result<void> {
        return link(static_cast<T&>(behavior), children);
    };
}

/// A class of conditions or actions that files can name. In a file its name is the key of its main
/// parameter, the one with the same name: `{"wait": "5s"}`. One without a main parameter has no
/// required ones either, and is written as a text: `"docked"`.
template <class Made>
struct PartClass {
    std::string name{};
    std::string about{};
    std::vector<Parameter> parameters{};
    /// As BehaviorClass::contradictions.
    std::function<std::vector<std::string>(const ParameterValues&)> contradictions{};
    std::function<std::unique_ptr<Made>(const Arguments&)> make{};
};
using ConditionClass = PartClass<Condition>;
using ActionClass = PartClass<Action>;

/// A word for the requirement gates that files can give as `requirement`.
struct RequirementWord {
    std::string name{};   ///< letters, digits and underscores
    std::string about{};  ///< one line, for people
    /// Added to what an entry with this requirement declares; see OperationModifiers.
    std::vector<std::string> needs_ensured{};
};

/// The classes that files can name. Built in main and handed on; there is no other one behind it.
class ClassRegistry {
public:
    template <class Class>
    using Classes = std::map<std::string, Class, std::less<>>;

    // A name that is taken or malformed is a mistake of the programmer.
    void add(BehaviorClass added);
    void add(ConditionClass added);
    void add(ActionClass added);
    /// As soon as there is one, files can give no other word.
    void add(RequirementWord added);

    const Classes<BehaviorClass>& behaviors() const { return behaviors_; }
    const Classes<ConditionClass>& conditions() const { return conditions_; }
    const Classes<ActionClass>& actions() const { return actions_; }
    const Classes<RequirementWord>& requirements() const { return requirements_; }
    /// What the requirement of an entry, or none, needs to be ensured.
    std::vector<std::string> needs_of(std::string_view requirement) const;

    /// From a plan that was read with this registry.
    ConditionPtr make_condition(const PartPlan& plan) const;
    std::unique_ptr<Action> make_action(const PartPlan& plan) const;

private:
    Classes<BehaviorClass> behaviors_;
    Classes<ConditionClass> conditions_;
    Classes<ActionClass> actions_;
    Classes<RequirementWord> requirements_;
};

/// Letters, digits and underscores, at least one.
bool is_class_name(std::string_view name);

/// The main parameter of a class of conditions or actions, if it has one.
const Parameter* main_parameter(std::string_view class_name, std::span<const Parameter> parameters);

/// What the file gives for a parameter, if it gives it by that kind: for contradictions.
template <class T>
const T* given(const ParameterValues& values, std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace caribou::behavior
