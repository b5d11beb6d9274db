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
};

}  // namespace caribou::behavior
