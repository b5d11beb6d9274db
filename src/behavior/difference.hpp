#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "behavior/outcome.hpp"
#include "behavior/rule.hpp"
#include "behavior/wants.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

class Behavior;
class BehaviorTree;

/// A behavior by its number in the tree.
using Who = std::uint32_t;
/// Not a behavior: the runner itself, or somebody outside.
inline constexpr Who nobody = UINT32_MAX;

// What can happen in a tick. Texts live until the next tick begins.

/// `by` delegated to it; nobody: the runner set it as base.
struct Pushed {
    Who who;
    Who by;
    friend bool operator==(const Pushed&, const Pushed&) = default;
};
struct Popped {
    Who who;
    Outcome::Kind outcome;
    std::string_view reason;
    friend bool operator==(const Popped&, const Popped&) = default;
};
/// It came into scope: the first layer lists it.
struct Entered {
    Who who;
    friend bool operator==(const Entered&, const Entered&) = default;
};
/// It left scope: the last layer that listed it is gone. What was known of its refusal and its
/// conditions is void.
struct Left {
    Who who;
    friend bool operator==(const Left&, const Left&) = default;
};
/// It was asked, and the answer is no in another way than before. Holds until the next Refused,
/// Willing, Pushed or Left of the same behavior.
struct Refused {
    Who who;
    Gate gate;
    std::string_view why;
    friend bool operator==(const Refused&, const Refused&) = default;
};
/// It was asked and said yes, after a no or for the first time since it came into scope.
struct Willing {
    Who who;
    friend bool operator==(const Willing&, const Willing&) = default;
};
/// One of the behavior's conditions has another answer than before. `number` is its place in
/// Behavior::conditions().
struct ConditionChanged {
    Who who;
    std::uint32_t number;
    bool holds;
    friend bool operator==(const ConditionChanged&, const ConditionChanged&) = default;
};
struct ActionStarted {
    Who who;
    std::string_view name;
    friend bool operator==(const ActionStarted&, const ActionStarted&) = default;
};
struct ActionEnded {
    Who who;
    Outcome::Kind outcome;
    std::string_view reason;
    friend bool operator==(const ActionEnded&, const ActionEnded&) = default;
};
/// A rule was broken; the call was refused. `who` is the behavior that made the call, or whose code
/// threw, or nobody.
struct RuleBroken {
    Who who;
    Rule rule;
    std::string_view why;
    friend bool operator==(const RuleBroken&, const RuleBroken&) = default;
};
/// Everything was popped, for this reason, at the beginning of the tick.
struct StackReset {
    std::string_view why;
    friend bool operator==(const StackReset&, const StackReset&) = default;
};
/// The base has ended: the stack is empty, and a new base can be set.
struct BecameIdle {
    friend bool operator==(const BecameIdle&, const BecameIdle&) = default;
};
/// The top of the stack went back and forth between these two (or is always the same): the stack is
/// reset in the next tick.
struct CycleFound {
    Who first;
    Who second;
    friend bool operator==(const CycleFound&, const CycleFound&) = default;
};
/// The tick took longer than its budget.
struct Overran {
    Duration took;
    Duration budget;
    friend bool operator==(const Overran&, const Overran&) = default;
};
/// The slowest update while behaviors were timed after an overrun.
struct SlowFound {
    Who who;
    Duration took;
    friend bool operator==(const SlowFound&, const SlowFound&) = default;
};
/// The tree was replaced: numbers mean other behaviors from here on.
struct TreeChanged {
    friend bool operator==(const TreeChanged&, const TreeChanged&) = default;
};

using Change = std::variant<Pushed, Popped, Entered, Left, Refused, Willing, ConditionChanged, ActionStarted,
                            ActionEnded, RuleBroken, StackReset, BecameIdle, CycleFound, Overran, SlowFound,
                            TreeChanged>;

/// All that one tick changed, in the order in which it happened.
struct Difference {
    std::uint64_t tick;
    Instant now;
    const BehaviorTree& tree;
    const BehaviorTree* old_tree;      ///< what changes before a TreeChanged refer to; else null
    std::span<Behavior* const> stack;  ///< after the tick, base first
    std::span<const Change> changes;
};

/// As people read it: `explore pushed by base`. Takes the names from the tree.
std::string describe(const Change& change, const BehaviorTree& tree);

/// Who is who, if the names are not in a tree but, for instance, in a recording.
struct ChangeNames {
    std::function<std::string(Who)> id;
    std::function<std::string(Who, std::uint32_t number)> condition;
};
std::string describe(const Change& change, const ChangeNames& names);

/// Hears the difference of every tick, once, at its end. May not call the runner. What it throws is
/// reported in the next tick.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void on_tick(const Difference& difference) = 0;
};

}  // namespace caribou::behavior
