#include "behavior/difference.hpp"

#include <fmt/format.h>

#include "behavior/tree.hpp"

namespace caribou::behavior {
namespace {

template <class... Visits>
struct Overloaded : Visits... {
    using Visits::operator()...;
};

std::string with(std::string text, std::string_view reason) {
    return reason.empty() ? text : fmt::format("{}: {}", text, reason);
}

}  // namespace

std::string describe(const Change& change, const BehaviorTree& tree) {
    const auto id = [&](Who who) { return who < tree.size() ? tree[who].id() : std::string(); };
    const auto condition = [&](Who who, std::uint32_t number) {
        const bool is_known = who < tree.size() && number < tree[who].conditions().size();
        return is_known ? tree[who].conditions()[number]->text() : std::string("a condition");
    };
    return describe(change, ChangeNames{id, condition});
}

std::string end_of_base(const Difference& difference) {
    const Popped* last = nullptr;
    for (const Change& change : difference.changes) {
        if (const auto* popped = std::get_if<Popped>(&change)) last = popped;
        if (last && std::holds_alternative<BecameIdle>(change))
            return with(
                fmt::format("{} has ended, {}", difference.tree[last->who].id(), to_string(last->outcome)),
                last->reason);
    }
    return {};
}

std::string describe(const Change& change, const ChangeNames& names) {
    const auto name = [&](Who who) {
        const std::string id = names.id(who);
        return id.empty() ? std::string("the runner") : id;
    };
    return std::visit(
        Overloaded{
            [&](const Pushed& c) { return fmt::format("{} pushed by {}", name(c.who), name(c.by)); },
            [&](const Popped& c) {
                return with(fmt::format("{} popped, {}", name(c.who), to_string(c.outcome)), c.reason);
            },
            [&](const Entered& c) { return fmt::format("{} entered scope", name(c.who)); },
            [&](const Left& c) { return fmt::format("{} left scope", name(c.who)); },
            [&](const Refused& c) {
                return with(fmt::format("{} refused by {}", name(c.who), to_string(c.gate)), c.why);
            },
            [&](const Willing& c) { return fmt::format("{} wants to be activated", name(c.who)); },
            [&](const ConditionChanged& c) {
                return fmt::format("{}: {} is now {}", name(c.who), names.condition(c.who, c.number),
                                   c.holds);
            },
            [&](const ActionStarted& c) { return fmt::format("{} started {}", name(c.who), c.name); },
            [&](const ActionEnded& c) {
                return with(fmt::format("{}'s action {}", name(c.who), to_string(c.outcome)), c.reason);
            },
            [&](const RuleBroken& c) {
                return with(fmt::format("{} broke the rule {}", name(c.who), to_string(c.rule)), c.why);
            },
            [&](const StackReset& c) { return with("stack reset", c.why); },
            [&](const BecameIdle&) { return std::string("idle"); },
            [&](const CycleFound& c) {
                return fmt::format("cycle of {} and {}", name(c.first), name(c.second));
            },
            [&](const Overran& c) {
                return fmt::format("tick overran: {} ms of {} ms", to_seconds(c.took) * 1e3,
                                   to_seconds(c.budget) * 1e3);
            },
            [&](const SlowFound& c) {
                return fmt::format("{} is slow: {} ms", name(c.who), to_seconds(c.took) * 1e3);
            },
            [&](const TreeChanged&) { return std::string("the tree was replaced"); },
        },
        change);
}

}  // namespace caribou::behavior
