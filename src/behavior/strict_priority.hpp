#pragma once

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

enum class Interrupts : std::uint8_t { no, yes };

/// Selects the first child, in the order of declaration, that wants to be activated.
///
/// | running | a child of higher priority wants | interrupts | effect                            |
/// |---------|----------------------------------|------------|-----------------------------------|
/// | none    | any                              | any        | starts the first that wants       |
/// | one     | yes                              | yes        | cancels it and starts that one    |
/// | one     | yes                              | no         | none; the others are not asked    |
/// | one     | no                               | any        | none                              |
///
/// Waits while no child wants control and it is the base; otherwise it ends then.
class StrictPriority final : public Dispatcher {
public:
    explicit StrictPriority(std::string id, Interrupts interrupts = Interrupts::yes)
        : Dispatcher(std::move(id)), interrupts_(interrupts) {}

    /// Adds a child, in order of descending priority.
    void add(Behavior& child) { add_child(child); }

protected:
    void choose(Control& control, const Outcome* ended) override;

private:
    Interrupts interrupts_;
};

}  // namespace caribou::behavior
