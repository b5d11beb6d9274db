#pragma once

#include <memory>
#include <string>
#include <utility>

#include "behavior/action.hpp"
#include "behavior/behavior.hpp"

namespace caribou::behavior {

/// Does one action each time it is activated.
///
/// | action             | the behavior                   |
/// |--------------------|--------------------------------|
/// | goes on            | stays active                   |
/// | ended              | ends with the same outcome     |
/// | could not start    | failed: the reason             |
class Act final : public Behavior {
public:
    Act(std::string id, std::unique_ptr<Action> action)
        : Behavior(std::move(id)), action_(std::move(action)) {}

protected:
    void on_activated(Control& control) override;

private:
    std::unique_ptr<Action> action_;
};

/// Does nothing until it is cancelled: rest, or a place for conditions and sensor modes.
class Idle final : public Behavior {
public:
    using Behavior::Behavior;
};

}  // namespace caribou::behavior
