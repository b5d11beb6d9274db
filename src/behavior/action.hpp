#pragma once

#include <optional>
#include <string_view>

#include "behavior/outcome.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

/// Something the robot does over several ticks: drive, play lights, wait, say. A behavior in control
/// delegates to it as to a behavior. It belongs to that behavior alone and ends with it.
///
/// | call   | when                                                                        |
/// |--------|-----------------------------------------------------------------------------|
/// | start  | inside delegate                                                             |
/// | poll   | once at the beginning of each later tick, until it returns an outcome       |
/// | cancel | in place of the outcome: the behavior ends or cancels it, or start or poll  |
/// |        | threw                                                                       |
///
/// An action may be started again after it ended. One that throws in start is refused as a
/// delegation; one that throws in poll has failed.
class Action {
public:
    virtual ~Action() = default;
    /// For people; a literal, or lives as long as the action.
    virtual std::string_view name() const = 0;
    virtual void start(Instant now) = 0;
    virtual std::optional<Outcome> poll(Instant now) = 0;
    virtual void cancel() = 0;
};

}  // namespace caribou::behavior
