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
#include "behavior/fact_declaration.hpp"
#include "behavior/parameter.hpp"

namespace caribou::behavior {

struct TreeEntry;

/// A child as passed to its parent, with the parent's parameters for it.
struct LinkedChild {
    Behavior& behavior;
    Arguments arguments;
};

/// On which children it depends whether a behavior wants control, apart from its conditions. For the checks
/// of a tree (find_doubts()).
enum class AskedChildren : std::uint8_t {
    unknown,  ///< its own wants_to_be_activated decides
    none,     ///< it always wants control
    first,    ///< the first child must want control
    all,      ///< one child must want control
};

/// What decides which child a behavior starts. For the checks of a tree.
enum class ChildOrder : std::uint8_t {
    unknown,
    by_priority,  ///< the first that wants control, again and again
    in_turn,      ///< the next, after the one before it has ended
    as_fallback,  ///< the next, after the one before it has failed
};

/// A class of behaviors that can be used in files.
struct BehaviorClass {
    std::string name{};   ///< letters, digits and underscores
    std::string about{};  ///< one line, for people
    std::vector<Parameter> parameters{};
    /// For placeholders of classes that are not available: undeclared keys are ignored.
    bool takes_anything = false;
    std::size_t min_children = 0;
    std::size_t max_children = 0;
    AskedChildren asked_children = AskedChildren::unknown;
    ChildOrder order = ChildOrder::unknown;
    bool ends_by_itself = true;    ///< if false, only a `cancel` condition or its parent ends it
    bool succeeds_always = false;  ///< it never ends as failed or cancelled
    /// Returns whether it ends only with a child that does not succeed. May be empty: it does not.
    std::function<bool(const ParameterValues&)> ends_with_failed_child{};
    std::vector<Parameter> child_parameters{};
    /// Added to the declarations of the instance; see OperationModifiers.
    std::vector<std::string> ensures{};
    std::vector<std::string> needs_ensured{};
    /// Returns one error message for each combination of parameters that cannot work, although each is valid
    /// by itself. May be empty.
    std::function<std::vector<std::string>(const TreeEntry&)> contradictions{};
    /// Creates an instance. May throw, which makes loading fail.
    std::function<std::unique_ptr<Behavior>(std::string id, const Arguments&)> make{};
    /// Called once with all children, if there are any. May be empty for classes without children.
    std::function<Result<void>(Behavior&, std::span<const LinkedChild>)> link{};
};

/// Returns a link function for a user-defined class: `link_as<Queue>([](Queue& queue, auto children) {…})`.
template <class T, class Link>
auto link_as(Link link) {
    return [link](Behavior& behavior, std::span<const LinkedChild> children) -> Result<void> {
        return link(static_cast<T&>(behavior), children);
    };
}

/// A class of conditions or actions that can be used in files. In a file, its name is the key of its main
/// parameter, which has the same name: `{"wait": "5s"}`. A class without a main parameter must not have
/// required ones, and is written as a text: `"docked"`.
template <class Made>
struct PartClass {
    std::string name{};
    std::string about{};
    std::vector<Parameter> parameters{};
    /// Both forms are accepted, with any keys. For placeholders.
    bool takes_anything = false;
    /// For find_doubts(): on every way to it there should be a behavior that ensures this, has a requirement,
    /// or refers to the fact. Empty: it needs nothing.
    std::string should_be_ensured{};
    std::string or_fact{};
    /// For find_doubts(): the flag of OperationModifiers, such as `allowed_charging`, without which a
    /// behavior may not do this, and the one without which what follows in turn may not run. Empty: none.
    std::string needs_flag{};
    std::string next_needs_flag{};
    /// Same as BehaviorClass::contradictions.
    std::function<std::vector<std::string>(const ParameterValues&)> contradictions{};
    std::function<std::unique_ptr<Made>(const Arguments&)> make{};
};
using ConditionClass = PartClass<Condition>;
using ActionClass = PartClass<Action>;

/// A word for the requirement gates that files can use as `requirement`.
struct RequirementWord {
    std::string name{};   ///< letters, digits and underscores
    std::string about{};  ///< one line, for people
    /// Added to the declarations of an entry with this requirement; see OperationModifiers.
    std::vector<std::string> needs_ensured{};
};

/// A sensor mode that files can use in `sensors_in_scope` and `sensors_while_active`.
struct SensorModeWord {
    std::string name{};   ///< letters, digits and underscores
    std::string about{};  ///< one line, for people
};

/// The classes that can be used in files. Created in main and passed on; there is no global registry.
class ClassRegistry {
public:
    template <class Class>
    using Classes = std::map<std::string, Class, std::less<>>;

    // Adding a name that is taken or malformed is a programming error.
    void add(BehaviorClass added);
    void add(ConditionClass added);
    void add(ActionClass added);
    // Replace the class of that name, or add it. For placeholders in tests.
    void replace(BehaviorClass added);
    void replace(ConditionClass added);
    void replace(ActionClass added);
    /// Once one has been added, files can use no other words.
    void add(RequirementWord added);
    /// Once one has been added, files can use no other modes.
    void add(SensorModeWord added);
    /// Once one has been added, files can use only declared facts: these, and those that they declare.
    void add(FactDeclaration added);

    const Classes<BehaviorClass>& behaviors() const { return behaviors_; }
    const Classes<ConditionClass>& conditions() const { return conditions_; }
    const Classes<ActionClass>& actions() const { return actions_; }
    const Classes<RequirementWord>& requirements() const { return requirements_; }
    const Classes<SensorModeWord>& sensor_modes() const { return sensor_modes_; }
    const FactDeclarations& facts() const { return facts_; }
    /// Returns the names that must be ensured for a requirement, or an empty list if it is unknown.
    std::vector<std::string> needs_of(std::string_view requirement) const;

    /// Create an object from a plan that was read with this registry.
    ConditionPtr make_condition(const PartPlan& plan) const;
    std::unique_ptr<Action> make_action(const PartPlan& plan) const;

private:
    Classes<BehaviorClass> behaviors_;
    Classes<ConditionClass> conditions_;
    Classes<ActionClass> actions_;
    Classes<RequirementWord> requirements_;
    Classes<SensorModeWord> sensor_modes_;
    FactDeclarations facts_;
};

/// Returns whether `name` consists of letters, digits and underscores, at least one.
bool is_class_name(std::string_view name);

/// Returns the main parameter of a class of conditions or actions, or null if it has none.
const Parameter* main_parameter(std::string_view class_name, std::span<const Parameter> parameters);

/// Returns the value that the file gives for a parameter, or null if it gives none or one of another type.
/// For use in `contradictions`.
template <class T>
const T* given(const ParameterValues& values, std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace caribou::behavior
