#include "motion/check_outcome.hpp"

#include <array>

namespace caribou::motion {

std::string_view to_string(CheckOutcome outcome) {
    constexpr std::array<std::string_view, 3> texts{"passed", "failed", "unverified"};
    return texts.at(static_cast<std::size_t>(outcome));
}

}  // namespace caribou::motion
