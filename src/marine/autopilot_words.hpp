#pragma once

#include <array>
#include <string_view>

#include "bus/parameters.hpp"
#include "marine/autopilot.hpp"
#include "wire/message.hpp"

namespace caribou::marine {

/// Declares the words of pMarinePID.
void declare_autopilot(bus::Parameters& words, AutopilotSettings& settings);
/// Returns whether one of them was given.
bool has_autopilot_words(const bus::Parameters& words);

/// Passes a value of the bus to the autopilot; other variables have no effect.
void pass_to(Autopilot& autopilot, const wire::Message& message);
/// The variables that pass_to() uses.
inline constexpr std::array<std::string_view, 11> autopilot_variables{
    "DESIRED_HEADING", "DESIRED_SPEED", "DESIRED_DEPTH", "NAV_HEADING",          "NAV_SPEED",
    "NAV_DEPTH",       "NAV_PITCH",     "NAV_YAW",       "MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE",
    "SPEED_FACTOR"};

}  // namespace caribou::marine
