#include "robot/activity.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace caribou::robot {
namespace {

/// Whole meters, so that the sentence does not change with every step.
std::string distance_text(const Activity& activity) {
    const double meters = std::ceil(activity.distance.value_or(0));
    return meters <= 1 ? "less than 1 m" : fmt::format("{:.0f} m", meters);
}

std::string going(std::string_view what, const Activity& activity, std::string_view why) {
    const std::string far = activity.distance ? ", " + distance_text(activity) + " away" : "";
    return fmt::format("{}{}: {}.", what, far, why);
}

std::string docking(const Activity& activity) {
    const std::string why =
        activity.battery_low ? "its battery is at " + activity.battery : std::string("it was asked to");
    return activity.knows_dock ? going("Going to its dock", activity, why)
                               : fmt::format("Searching for its dock: {}.", why);
}

/// `go_to_dock` as `Go to dock.`, or `Go to dock: battery < 20.`
std::string words_of(std::string_view id, std::string_view because) {
    std::string text(id);
    std::ranges::replace(text, '_', ' ');
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return because.empty() ? text + "." : fmt::format("{}: {}.", text, because);
}

}  // namespace

std::string sentence_of(const Activity& activity) {
    if (activity.behavior.empty()) return {};
    if (activity.lifted) return "Waiting: a person holds it.";
    if (!activity.zone.empty() && !activity.on_charger)
        return activity.leaves_zone
                   ? fmt::format("Driving out of the keep-out zone {}.", activity.zone)
                   : fmt::format("Waiting: it is in the keep-out zone {}. Drive it out, or forget the zone.",
                                 activity.zone);
    const std::string_view action = activity.action;
    if (action == "explore")
        return activity.distance
                   ? fmt::format("Exploring: {} to a place that it has not seen.", distance_text(activity))
                   : "Exploring: looking for a place that it has not seen.";
    if (action == "dock") return docking(activity);
    if (action == "undock") return "Leaving its dock: the battery is charged.";
    if (action == "approach_cube") return going("Going to a cube", activity, "it wants to play");
    if (action == "stroll") return going("Strolling to a place", activity, "it has explored everything");
    if (action == "back_off") return "Backing off: it could not get on.";
    if (action == "go") return going("Going to a place", activity, "it was asked to");
    if (action == "go_to" || action == "visit")
        return going("Going to a place", activity,
                     activity.because.empty() ? "its tree names it" : activity.because);
    if (action == "look" || action == "turn") return "Turning to look around.";
    if (action == "wait" || action == "wait_until") return "Pausing before it goes on.";
    if (activity.behavior_class == "connect_to_cube") return "Connecting to a cube: it wants to play.";
    if (activity.behavior_class == "cube_spinner")
        return "Playing with a cube: tap it when its first light glows.";
    if (activity.on_charger) return fmt::format("Charging: the battery is at {}.", activity.battery);
    return words_of(activity.behavior, activity.because);
}

}  // namespace caribou::robot
