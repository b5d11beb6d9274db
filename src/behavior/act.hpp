#pragma once

#include <memory>
#include <string>
#include <utility>

#include "behavior/action.hpp"
#include "behavior/behavior.hpp"

namespace caribou::behavior {

/// Performs one action each time it is activated.
///
/// | action             | the behavior                          |
/// |--------------------|---------------------------------------|
/// | continues          | stays active                          |
/// | ended              | ends with the same outcome            |
/// | could not start    | ends as failed, with the reason       |
class Act final : public Behavior {
public:
    Act(std::string id, std::unique_ptr<Action> action)
        : Behavior(std::move(id)), action_(std::move(action)) {}

protected:
    void on_activated(Control& control) override;

private:
    std::unique_ptr<Action> action_;
};

/// Does nothing until it is cancelled. Use it for rest, or as a holder of conditions and sensor modes.
class Idle final : public Behavior {
public:
    using Behavior::Behavior;
};

}  // namespace caribou::behavior
