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

/// Number of a behavior in the tree.
using Who = std::uint32_t;
/// Not a behavior: the runner itself, or a caller outside the tree.
inline constexpr Who nobody = UINT32_MAX;

// Everything that can happen in a tick. Texts are valid until the next tick begins.

/// A behavior was pushed: delegated to by `by`, or set as base by the runner if `by` is not a behavior.
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
/// It entered scope: the first layer lists it.
struct Entered {
    Who who;
    friend bool operator==(const Entered&, const Entered&) = default;
};
/// It left scope: the last layer that listed it was popped. Its last refusal and the answers of its
/// conditions are no longer valid.
struct Left {
    Who who;
    friend bool operator==(const Left&, const Left&) = default;
};
/// It was asked, and refused in a different way than before. Valid until the next Refused, Willing, Pushed or
/// Left of the same behavior.
struct Refused {
    Who who;
    Gate gate;
    std::string_view why;
    friend bool operator==(const Refused&, const Refused&) = default;
};
/// It was asked and agreed, after a refusal or for the first time since it entered scope.
struct Willing {
    Who who;
    friend bool operator==(const Willing&, const Willing&) = default;
};
/// The answer of one of the behavior's conditions changed. `number` is its index in Behavior::conditions().
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
/// A rule was broken, and the call was refused. `who` is the behavior that made the call or whose code threw,
/// if there is one.
struct RuleBroken {
    Who who;
    Rule rule;
    std::string_view why;
    friend bool operator==(const RuleBroken&, const RuleBroken&) = default;
};
/// Everything was popped at the beginning of the tick, for this reason.
struct StackReset {
    std::string_view why;
    friend bool operator==(const StackReset&, const StackReset&) = default;
};
/// The base has ended: the stack is empty, and a new base can be set.
struct BecameIdle {
    friend bool operator==(const BecameIdle&, const BecameIdle&) = default;
};
/// The top of the stack alternated between these two (or was always the same): the stack is reset in the next
/// tick.
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
/// The tree was replaced: from here on, numbers refer to the new tree.
struct TreeChanged {
    friend bool operator==(const TreeChanged&, const TreeChanged&) = default;
};

using Change = std::variant<Pushed, Popped, Entered, Left, Refused, Willing, ConditionChanged, ActionStarted,
                            ActionEnded, RuleBroken, StackReset, BecameIdle, CycleFound, Overran, SlowFound,
                            TreeChanged>;

/// All changes of one tick, in the order in which they happened.
struct Difference {
    std::uint64_t tick;
    Instant now;
    const BehaviorTree& tree;
    const BehaviorTree* old_tree;      ///< tree of the changes before a TreeChanged; otherwise null
    std::span<Behavior* const> stack;  ///< after the tick, base first
    std::span<const Change> changes;
};

/// Returns a description for people, such as `explore pushed by base`, with names from the tree.
std::string describe(const Change& change, const BehaviorTree& tree);

/// Returns how the base ended in this tick, such as `robot has ended, failed: no map`, or an empty text if it
/// did not end.
std::string end_of_base(const Difference& difference);

/// Resolves numbers to names if they are not in a tree but, for example, in a recording.
struct ChangeNames {
    std::function<std::string(Who)> id;
    std::function<std::string(Who, std::uint32_t number)> condition;
};
std::string describe(const Change& change, const ChangeNames& names);

/// Receives the difference of every tick once, at its end. Must not call the runner. Exceptions are reported
/// in the next tick.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void on_tick(const Difference& difference) = 0;
};

}  // namespace caribou::behavior
