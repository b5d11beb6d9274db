#include "station/recording_version.hpp"

#include <fmt/format.h>

#include "base/number_text.hpp"

namespace caribou::station {
namespace {

constexpr std::string_view profile_prefix = "caribou-";

}  // namespace

std::string recording_profile() { return fmt::format("{}{}", profile_prefix, recording_version); }

Result<void> check_recording_profile(std::string_view profile) {
    if (!profile.starts_with(profile_prefix)) return {};
    const auto version = number_in(profile.substr(profile_prefix.size()));
    if (version && *version >= 1 && *version <= recording_version) return {};
    return fail(Code::malformed,
                fmt::format("the recording has version `{}`, and this program reads up to {}{}: use a later "
                            "release",
                            profile, profile_prefix, recording_version));
}

}  // namespace caribou::station
