#pragma once

#include <span>

#include "behavior/behavior.hpp"
#include "behavior/wants.hpp"

namespace caribou::behavior {

/// An external authority that must agree to activations: a connection, a license, an operator. Asked for
/// every behavior; those without OperationModifiers::requirement usually get a yes.
///
/// | call           | when                                                                      |
/// |----------------|---------------------------------------------------------------------------|
/// | may_want       | the behavior is asked; after a no, its wants_to_be_activated is not called|
/// | may_activate   | it agreed and is about to be pushed; the last chance to refuse. After a   |
/// |                | yes the gate holds what it needs to hold, and the activation happens      |
/// | on_deactivated | once for each yes of may_activate, when the behavior is deactivated; also |
/// |                | if a later gate refused                                                   |
///
/// If a gate throws, that counts as no and is reported. Reasons must live as long as the gate.
class RequirementGate {
public:
    virtual ~RequirementGate() = default;
    /// Return whether the gate agrees. `stack` is the stack of active behaviors, base first.
    virtual Wants may_want(const Behavior& behavior, std::span<Behavior* const> stack) = 0;
    virtual Wants may_activate(const Behavior& behavior, std::span<Behavior* const> stack) = 0;
    virtual void on_deactivated(const Behavior& behavior) = 0;
};

}  // namespace caribou::behavior
