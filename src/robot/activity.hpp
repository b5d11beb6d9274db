#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caribou::robot {

/// The facts from which a sentence about an autonomous robot is made.
struct Activity {
    std::string_view behavior{};        ///< the top of the stack
    std::string_view behavior_class{};  ///< its class
    std::string_view action{};          ///< the name of the running action; empty if there is none
    std::string_view because{};         ///< the condition by which it wanted control; empty if it needs none
    std::optional<double> distance{};   ///< meters to its goal; nullopt if it does not drive to one
    std::string battery{};              ///< its level for people, such as `63 %`
    bool battery_low = false;           ///< it goes to its dock for that reason
    bool on_charger = false;
    bool knows_dock = true;
    bool lifted = false;
    std::string_view zone{};  ///< the keep-out zone that it leaves, or cannot leave by itself; empty: none
    bool leaves_zone = false;
};

/// Returns one sentence that states what the robot does and why, such as `Exploring: 3 m to a place that it
/// has not seen.` Returns an empty string if no behavior is active.
std::string sentence_of(const Activity& activity);

}  // namespace caribou::robot
