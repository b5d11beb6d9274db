#pragma once

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

enum class Interrupts : std::uint8_t { no, yes };

/// The first child, in the order of declaration, that wants to be activated.
///
/// | running | a child of higher priority wants | interrupts | does                              |
/// |---------|----------------------------------|------------|-----------------------------------|
/// | none    | any                              | any        | starts the first that wants       |
/// | one     | yes                              | yes        | cancels it and starts that one    |
/// | one     | yes                              | no         | nothing; the others are not asked |
/// | one     | no                               | any        | nothing                           |
///
/// Waits while nobody wants; with always_delegates it ends instead.
class StrictPriority final : public Dispatcher {
public:
    explicit StrictPriority(std::string id, Interrupts interrupts = Interrupts::yes)
        : Dispatcher(std::move(id)), interrupts_(interrupts) {}

    /// From the highest priority to the lowest.
    void add(Behavior& child) { add_child(child); }

protected:
    void choose(Control& control, const Outcome* ended) override;

private:
    Interrupts interrupts_;
};

}  // namespace caribou::behavior
