#include "link/com_mode.hpp"

#include <array>

#include "link/names.hpp"

namespace caribou::link {
namespace {

constexpr std::array<std::string_view, 4> com_mode_names{"CM0", "CM1", "CM2", "CM3"};

}  // namespace

std::string_view to_string(ComMode mode) { return name_in(com_mode_names, mode); }

std::optional<ComMode> com_mode_from(std::string_view text) {
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '3') return static_cast<ComMode>(text[0] - '0');
    return named_in<ComMode>(com_mode_names, text);
}

ComMode com_mode_of(Directions up) {
    return static_cast<ComMode>((up.sending ? 1 : 0) + (up.receiving ? 2 : 0));
}

Directions directions_of(ComMode mode) {
    const auto bits = static_cast<unsigned>(mode);
    return {.sending = (bits & 1U) != 0, .receiving = (bits & 2U) != 0};
}

}  // namespace caribou::link
