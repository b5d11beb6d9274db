#include "link/com_mode.hpp"

#include "link/names.hpp"

namespace caribou::link {

std::optional<ComMode> com_mode_from(std::string_view text) {
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '3') return static_cast<ComMode>(text[0] - '0');
    return named_up_to(ComMode::cm3, text);
}

ComMode com_mode_of(Directions up) {
    return static_cast<ComMode>((up.sending ? 1 : 0) + (up.receiving ? 2 : 0));
}

Directions directions_of(ComMode mode) {
    const auto bits = static_cast<unsigned>(mode);
    return {.sending = (bits & 1U) != 0, .receiving = (bits & 2U) != 0};
}

}  // namespace caribou::link
