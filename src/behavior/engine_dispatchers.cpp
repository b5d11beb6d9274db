#include <limits>
#include <set>

#include <fmt/format.h>

#include "behavior/act.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/pass_through.hpp"
#include "behavior/queue.hpp"
#include "behavior/repeat.hpp"
#include "behavior/scoring.hpp"
#include "behavior/strict_priority.hpp"
#include "behavior/strict_priority_with_cooldown.hpp"
#include "behavior/tree_plan.hpp"
#include "behavior/weighted_random.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;
using Children = std::span<const LinkedChild>;

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

Parameter interrupts_parameter() {
    return {.name = "interrupts",
            .kind = Kind::flag,
            .about = "a child of higher priority cancels the running one",
            .fallback = true};
}

Parameter once_parameter() {
    return {.name = "once",
            .kind = Kind::flag,
            .about = "ends with the first child that ends, with the same outcome",
            .fallback = false};
}

template <class Made>
std::unique_ptr<Made> maybe_once(std::unique_ptr<Made> made, const Arguments& arguments) {
    if (arguments.flag("once")) made->set_once();
    return made;
}

Interrupts interrupts(const Arguments& arguments) {
    return arguments.flag("interrupts") ? Interrupts::yes : Interrupts::no;
}

std::vector<Parameter> cooldown_parameters() {
    return {{.name = "cooldown",
             .kind = Kind::duration,
             .about = "how long it rests after it ended",
             .fallback = Duration{0},
             .words = {"forever"}},
            {.name = "jitter",
             .kind = Kind::number,
             .about = "by what share the cooldown varies",
             .fallback = 0.0,
             .min = 0,
             .max = 1}};
}

CooldownOptions cooldown(const Arguments& arguments) {
    if (arguments.is_word("cooldown", "forever")) return {.forever = true};
    return {.length = arguments.duration("cooldown"), .jitter = arguments.number("jitter")};
}

/// Reports a jitter without a cooldown that it could vary.
void find_idle_jitter(const TreeEntry& entry, std::vector<std::string>& sentences) {
    for (const ChildPlan& child : entry.children)
        if (child.values.contains("jitter") && !given<Duration>(child.values, "cooldown"))
            sentences.emplace_back("a `jitter` varies a `cooldown` with a duration, and there is none");
}

/// Reports duplicate children, for classes in which listing a child twice has no effect.
std::vector<std::string> find_doubles(const TreeEntry& entry) {
    std::set<std::size_t> seen;
    std::vector<std::string> sentences;
    for (const ChildPlan& child : entry.children)
        if (!seen.insert(child.entry).second)
            sentences.push_back(fmt::format("`{}` lists a child twice", entry.class_name));
    return sentences;
}

BehaviorClass queue_class() {
    return {.name = "queue",
            .about = "its children one after the other; who does not want is passed over",
            .parameters = {{.name = "when_failed",
                            .kind = Kind::word,
                            .about = "effect of a failed child on the queue",
                            .fallback = std::string("go_on"),
                            .words = {"go_on", "end"}}},
            .min_children = 1,
            .max_children = any_number,
            .asked_children = AskedChildren::all,
            .order = ChildOrder::in_turn,
            .make =
                [](std::string id, const Arguments& arguments) {
                    const bool ends = arguments.text("when_failed") == "end";
                    return std::make_unique<Queue>(std::move(id),
                                                   ends ? Queue::WhenFailed::end : Queue::WhenFailed::go_on);
                },
            .link = link_as<Queue>([](Queue& queue, Children children) -> Result<void> {
                for (const LinkedChild& child : children) queue.add(child.behavior);
                return {};
            })};
}

BehaviorClass strict_priority_class() {
    return {.name = "strict_priority",
            .about = "the first child that wants",
            .parameters = {interrupts_parameter(), once_parameter()},
            .min_children = 1,
            .max_children = any_number,
            .asked_children = AskedChildren::all,
            .order = ChildOrder::by_priority,
            .contradictions = find_doubles,
            .make =
                [](std::string id, const Arguments& arguments) {
                    return maybe_once(std::make_unique<StrictPriority>(std::move(id), interrupts(arguments)),
                                      arguments);
                },
            .link = link_as<StrictPriority>([](StrictPriority& priority, Children children) -> Result<void> {
                for (const LinkedChild& child : children) priority.add(child.behavior);
                return {};
            })};
}

BehaviorClass strict_priority_with_cooldown_class() {
    using Made = StrictPriorityWithCooldown;
    return {.name = "strict_priority_with_cooldown",
            .about = "the first child that wants and has rested",
            .parameters = {interrupts_parameter(), once_parameter()},
            .min_children = 1,
            .max_children = any_number,
            .child_parameters = cooldown_parameters(),
            .contradictions =
                [](const TreeEntry& entry) {
                    auto sentences = find_doubles(entry);
                    find_idle_jitter(entry, sentences);
                    return sentences;
                },
            .make =
                [](std::string id, const Arguments& arguments) {
                    return maybe_once(std::make_unique<Made>(std::move(id), interrupts(arguments)),
                                      arguments);
                },
            .link = link_as<Made>([](Made& priority, Children children) -> Result<void> {
                for (const LinkedChild& child : children)
                    priority.add(child.behavior, cooldown(child.arguments));
                return {};
            })};
}

std::vector<std::string> find_impossible_draw(const TreeEntry& entry) {
    auto sentences = find_doubles(entry);
    find_idle_jitter(entry, sentences);
    for (const ChildPlan& child : entry.children) {
        const double* weight = given<double>(child.values, "weight");
        if (!weight || *weight > 0) return sentences;
    }
    sentences.emplace_back("no child can ever be drawn: all weights are 0");
    return sentences;
}

BehaviorClass weighted_random_class() {
    std::vector<Parameter> child_parameters = cooldown_parameters();
    child_parameters.insert(child_parameters.begin(), {.name = "weight",
                                                       .kind = Kind::number,
                                                       .about = "its chance, against the other weights",
                                                       .fallback = 1.0,
                                                       .min = 0});
    return {.name = "weighted_random",
            .about = "one of those that want and have rested, drawn by weight",
            .parameters = {once_parameter()},
            .min_children = 1,
            .max_children = any_number,
            .child_parameters = std::move(child_parameters),
            .contradictions = find_impossible_draw,
            .make =
                [](std::string id, const Arguments& arguments) {
                    return maybe_once(std::make_unique<WeightedRandom>(std::move(id)), arguments);
                },
            .link = link_as<WeightedRandom>([](WeightedRandom& random, Children children) -> Result<void> {
                for (const LinkedChild& child : children)
                    random.add(child.behavior, child.arguments.number("weight"), cooldown(child.arguments));
                return {};
            })};
}

std::vector<std::string> find_impossible_scores(const TreeEntry& entry) {
    auto sentences = find_doubles(entry);
    for (const ChildPlan& child : entry.children) {
        const double* base = given<double>(child.values, "score");
        if (base && *base <= 0 && !child.values.contains("score_fact"))
            sentences.emplace_back(
                "a child with a `score` of 0 or less and no `score_fact` is never started");
        if (child.values.contains("recovery") && !child.values.contains("penalty"))
            sentences.emplace_back("a `recovery` is from a `penalty`, and there is none");
    }
    return sentences;
}

BehaviorClass scoring_class() {
    return {.name = "scoring",
            .about = "the one with the highest score among those that want",
            .parameters = {once_parameter()},
            .min_children = 1,
            .max_children = any_number,
            .child_parameters =
                {{.name = "score", .kind = Kind::number, .about = "what it is worth", .fallback = 1.0},
                 {.name = "score_fact",
                  .kind = Kind::fact,
                  .about = "a fact with a number to be added",
                  .fact_use = FactUse::counts},
                 {.name = "penalty",
                  .kind = Kind::number,
                  .about = "is taken off right after it ended",
                  .fallback = 0.0,
                  .min = 0},
                 {.name = "recovery",
                  .kind = Kind::duration,
                  .about = "within this time the penalty shrinks to nothing",
                  .fallback = Duration{0}}},
            .contradictions = find_impossible_scores,
            .make =
                [](std::string id, const Arguments& arguments) {
                    return maybe_once(std::make_unique<Scoring>(std::move(id)), arguments);
                },
            .link = link_as<Scoring>([](Scoring& scoring, Children children) -> Result<void> {
                for (const auto& [behavior, arguments] : children)
                    scoring.add(behavior, {.base = arguments.number("score"),
                                           .fact = arguments.text("score_fact"),
                                           .penalty = arguments.number("penalty"),
                                           .recovery = arguments.duration("recovery")});
                return {};
            })};
}

BehaviorClass pass_through_class() {
    return {
        .name = "pass_through",
        .about = "lends its conditions, modifiers and name to one child",
        .min_children = 1,
        .max_children = 1,
        .asked_children = AskedChildren::all,
        .make = [](std::string id, const Arguments&) { return std::make_unique<PassThrough>(std::move(id)); },
        .link = link_as<PassThrough>(
            [](PassThrough& through, Children children) { return through.add(children.front().behavior); })};
}

BehaviorClass repeat_class() {
    return {.name = "repeat",
            .about = "one child, several times",
            .parameters = {{.name = "times",
                            .kind = Kind::count,
                            .about = "how often; 0: without end",
                            .fallback = 0.0,
                            .min = 0,
                            .max = 1e9}},
            .min_children = 1,
            .max_children = 1,
            .asked_children = AskedChildren::all,
            .ends_with_failed_child =
                [](const ParameterValues& values) {
                    const double* times = given<double>(values, "times");
                    return !times || *times == 0;
                },
            .make =
                [](std::string id, const Arguments& arguments) {
                    return std::make_unique<Repeat>(std::move(id), arguments.count("times"));
                },
            .link = link_as<Repeat>(
                [](Repeat& repeat, Children children) { return repeat.add(children.front().behavior); })};
}

BehaviorClass act_class() {
    return {
        .name = "act",
        .about = "does one action and ends with its outcome",
        .parameters = {{.name = "action", .kind = Kind::action, .about = "what it does", .required = true}},
        .asked_children = AskedChildren::none,
        .make = [](std::string id, const Arguments& arguments) {
            return std::make_unique<Act>(std::move(id), arguments.action("action"));
        }};
}

BehaviorClass idle_class() {
    return {.name = "idle",
            .about = "does nothing until it is cancelled",
            .asked_children = AskedChildren::none,
            .ends_by_itself = false,
            .make = [](std::string id, const Arguments&) { return std::make_unique<Idle>(std::move(id)); }};
}

}  // namespace

void register_engine_classes(ClassRegistry& registry) {
    register_engine_dispatchers(registry);
    register_engine_outcomes(registry);
    register_state_machine(registry);
    register_engine_conditions(registry);
    register_engine_actions(registry);
}

void register_engine_dispatchers(ClassRegistry& registry) {
    for (auto make :
         {queue_class, strict_priority_class, strict_priority_with_cooldown_class, weighted_random_class,
          scoring_class, pass_through_class, repeat_class, act_class, idle_class})
        registry.add(make());
}

}  // namespace caribou::behavior
