#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou::station {

/// Version of the recordings that are written (docs/formats/recording.md). Version 1 is read as well.
inline constexpr int recording_version = 2;

/// Returns the profile in the header of such a recording, `caribou-2`. Recordings of version 1 have none.
std::string recording_profile();
/// Fails with malformed if the profile is that of a later version.
Result<void> check_recording_profile(std::string_view profile);

}  // namespace caribou::station
