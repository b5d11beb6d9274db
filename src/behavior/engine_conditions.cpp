#include <array>

#include "base/suggestion.hpp"
#include "behavior/and_condition.hpp"
#include "behavior/cooldown_condition.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/held_condition.hpp"
#include "behavior/not_condition.hpp"
#include "behavior/or_condition.hpp"
#include "behavior/timer_condition.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

constexpr std::array comparisons{Comparison::equal,   Comparison::unequal, Comparison::less,
                                 Comparison::at_most, Comparison::greater, Comparison::at_least};

ConditionPtr make_fact(const Arguments& arguments) {
    for (const Comparison comparison : comparisons)
        if (arguments.has(to_string(comparison)))
            return std::make_unique<FactCondition>(arguments.text("fact"), comparison,
                                                   arguments.value(to_string(comparison)));
    return std::make_unique<FactCondition>(arguments.text("fact"));
}

ConditionClass fact_class() {
    ConditionClass made{
        .name = "fact",
        .about = "a fact is known and true, or compares as stated",
        .parameters = {{.name = "fact", .kind = Kind::fact, .about = "its name", .required = true}},
        .contradictions =
            [](const ParameterValues& values) {
                std::vector<std::string> sentences;
                if (values.size() > 2)
                    sentences.emplace_back("a fact is compared once; join several comparisons with `and`");
                return sentences;
            },
        .make = make_fact};
    for (const Comparison comparison : comparisons)
        made.parameters.push_back({.name = std::string(to_string(comparison)),
                                   .kind = Kind::value,
                                   .about = "the value to compare with",
                                   .of_fact = "fact"});
    return made;
}

/// Returns a class of conditions with a duration and an operand.
template <class Made>
ConditionClass timed_class(std::string name, std::string about) {
    return {
        .name = name,
        .about = std::move(about),
        .parameters = {{.name = name, .kind = Kind::duration, .about = "how long", .required = true},
                       {.name = "when", .kind = Kind::condition, .about = "the condition", .required = true}},
        .make = [name](const Arguments& arguments) {
            return std::make_unique<Made>(arguments.condition("when"), arguments.duration(name));
        }};
}

template <class Made>
ConditionClass joining_class(std::string name, std::string about) {
    return {
        .name = name,
        .about = std::move(about),
        .parameters = {{.name = name, .kind = Kind::conditions, .about = "the conditions", .required = true}},
        .make = [name](const Arguments& arguments) {
            return std::make_unique<Made>(arguments.conditions(name));
        }};
}

}  // namespace

void register_engine_conditions(ClassRegistry& registry) {
    registry.add(fact_class());
    registry.add(
        ConditionClass{.name = std::string(always_word),
                       .about = "holds; a dispatcher with this among its `wants` does not ask its children",
                       .make = [](const Arguments&) {
                           return std::make_unique<AndCondition>(std::vector<ConditionPtr>{});
                       }});
    registry.add(joining_class<AndCondition>("and", "all of them hold"));
    registry.add(joining_class<OrCondition>("or", "at least one of them holds"));
    registry.add(ConditionClass{
        .name = "not",
        .about = "it does not hold",
        .parameters = {{.name = "not", .kind = Kind::condition, .about = "the condition", .required = true}},
        .make = [](const Arguments& arguments) {
            return std::make_unique<NotCondition>(arguments.condition("not"));
        }});
    registry.add(ConditionClass{
        .name = "after",
        .about = "so long after it went live: in scope and inactive for `wants`, active for `cancel`",
        .parameters = {{.name = "after", .kind = Kind::duration, .about = "how long", .required = true}},
        .make = [](const Arguments& arguments) {
            return std::make_unique<TimerCondition>(arguments.duration("after"));
        }});
    registry.add(timed_class<HeldCondition>("held", "it has held without a gap for so long"));
    registry.add(timed_class<CooldownCondition>("cooldown",
                                                "it holds, and was not acted on for so long: an activation, "
                                                "cancellation or transition starts the time"));
}

}  // namespace caribou::behavior
