#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/class_registry.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

/// A placeholder for a class that is not available, or that a test controls.
struct StandIn {
    enum class Word : std::uint8_t { succeed, fail, stay, yes, no };
    /// What it does the next time that it is started; of conditions, what it answers next.
    struct Step {
        Word word = Word::stay;
        Duration time{0};  ///< until it ends; of conditions, until the next step
    };
    std::string name{};
    std::vector<Step> steps{};  ///< the last one is repeated; empty: no script

    /// Returns whether it is a condition: its steps are `yes` and `no`.
    bool is_condition() const { return !steps.empty() && steps.front().word >= Word::yes; }
};

/// Parses `hum`, `hum=succeed 2s,fail 1s` or `is_dark=no 5s,yes`. Fails with what is wrong.
Result<StandIn> parse_stand_in(std::string_view text);

/// Adds the class, or replaces the one of that name; its parameters, if it is known, are checked as before.
///
/// | script               | it is              | and                                                       |
/// |----------------------|--------------------|-----------------------------------------------------------|
/// | none                 | all three          | a behavior always wants, delegates to its first child     |
/// |                      |                    | that wants, and stays; an action stays; a condition never |
/// |                      |                    | holds                                                     |
/// | succeed, fail, stay  | behavior or action | each time it is started, takes the next step: it ends     |
/// |                      |                    | after the time, or stays until it is canceled             |
/// | yes, no              | condition          | holds or not, each for its time from when it is live      |
///
/// Without a script, classes that are known are not replaced. All objects of a class share its script.
void add_stand_in(ClassRegistry& classes, const StandIn& stand_in);

}  // namespace caribou::behavior
