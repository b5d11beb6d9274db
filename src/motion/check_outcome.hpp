#pragma once

#include <cstdint>
#include <string_view>

namespace caribou::motion {

/// The outcome of one item of a check of the body.
enum class CheckOutcome : std::uint8_t {
    passed,
    failed,
    unverified,  ///< it could not be tried, or its effect could not be read back
};
std::string_view to_string(CheckOutcome outcome);

}  // namespace caribou::motion
