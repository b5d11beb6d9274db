#pragma once

#include <span>
#include <vector>

#include "behavior/lifecycle.hpp"
#include "behavior/requirement_gate.hpp"

namespace caribou::behavior {

/// Asks all gates, in the order of Gate, whether a behavior may be activated. The first refusal is the
/// answer.
class Gatekeeper {
public:
    Gatekeeper(TickState& state, Journal& journal, Lifecycle& lifecycle)
        : state_(state), journal_(journal), lifecycle_(lifecycle) {}

    void add(RequirementGate& gate) { gates_.push_back({&gate, {}}); }
    void remove(RequirementGate& gate);

    /// Reads the facts that decide on the operation modifiers. They apply to the whole tick.
    void begin_tick();
    /// Returns the answer of all gates, records it, and reports it if it differs from the previous one.
    Wants ask(Behavior& behavior, std::span<Behavior* const> stack);
    /// Returns whether the behavior is the one whose wants_to_be_activated is running.
    bool is_asking(const Behavior& behavior) const { return question_ && question_->asked == &behavior; }
    /// Asks a delegate of `by`, whose wants_to_be_activated is running, as if `by` were on top of the stack.
    /// A delegate that is being asked already, or is out of scope, does not want.
    Wants ask_inside(Behavior& by, Behavior& delegate);
    /// Asks the RequirementGates for final admission before a push. After a refusal, none of them holds
    /// anything.
    Wants admit(Behavior& behavior, std::span<Behavior* const> stack);
    /// Notifies the gates that the behavior was deactivated, or was not pushed after all.
    void release(Behavior& behavior);

private:
    struct Door {
        RequirementGate* gate;
        std::vector<const Behavior*> admitted;  ///< and not yet released
    };

    /// A behavior whose wants_to_be_activated is running, and the one that asked it there.
    struct Question {
        const Behavior* asked;
        std::span<Behavior* const> stack;
        const Question* outer;
    };

    Wants first_no(Behavior& behavior, std::span<Behavior* const> stack);
    Wants circumstances(const OperationModifiers& modifiers) const;
    Wants ensured(const Behavior& behavior, std::span<Behavior* const> stack);

    TickState& state_;
    Journal& journal_;
    Lifecycle& lifecycle_;
    bool charging_ = false;
    bool off_ground_ = false;
    bool carrying_ = false;
    std::vector<Door> gates_;
    const Question* question_ = nullptr;  ///< the innermost
    std::vector<Behavior*> path_;         ///< the stack, and the behaviors that ask one inside the other
};

}  // namespace caribou::behavior
