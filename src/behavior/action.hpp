#pragma once

#include <optional>
#include <string_view>

#include "behavior/outcome.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

/// Something the robot does over several ticks, such as driving, playing lights, waiting or speaking. A
/// behavior in control delegates to it as to a behavior. It belongs to that behavior alone and ends with it.
///
/// | call   | when                                                                        |
/// |--------|-----------------------------------------------------------------------------|
/// | start  | inside delegate                                                             |
/// | poll   | once at the beginning of each later tick, until it returns an outcome       |
/// | cancel | in place of the outcome: the behavior ends or cancels it, or start or poll  |
/// |        | threw                                                                       |
///
/// An action may be started again after it has ended. If start throws, the delegation is refused; if poll
/// throws, the action has failed.
class Action {
public:
    virtual ~Action() = default;
    /// Returns the name for people. It must be a literal, or live as long as the action.
    virtual std::string_view name() const = 0;
    virtual void start(Instant now) = 0;
    /// Returns the outcome once the action has ended, or nullopt while it continues.
    virtual std::optional<Outcome> poll(Instant now) = 0;
    virtual void cancel() = 0;
};

}  // namespace caribou::behavior
