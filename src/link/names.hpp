#pragma once

// The names of enumerators, in the order of their values. Private to link.

#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/check.hpp"

namespace caribou::link {

template <std::size_t N, class Enum>
std::string_view name_in(const std::array<std::string_view, N>& names, Enum value) {
    const auto place = static_cast<std::size_t>(value);
    check(place < N, "an enumerator is one of its enum");
    return names[place];
}

/// Returns whether two names are equal, ignoring case and underscores: `WaitingToReceive` and
/// `waiting_to_receive`.
inline bool same_name(std::string_view a, std::string_view b) {
    const auto next = [](std::string_view& text) -> int {
        while (!text.empty() && text.front() == '_') text.remove_prefix(1);
        if (text.empty()) return -1;
        const int letter = std::tolower(static_cast<unsigned char>(text.front()));
        text.remove_prefix(1);
        return letter;
    };
    for (;;) {
        const int x = next(a);
        if (x != next(b)) return false;
        if (x < 0) return true;
    }
}

/// Returns the enumerator from 0 to `last` whose to_string() is this name.
template <class Enum>
std::optional<Enum> named_up_to(Enum last, std::string_view text) {
    for (int i = 0; i <= static_cast<int>(last); ++i)
        if (same_name(to_string(static_cast<Enum>(i)), text)) return static_cast<Enum>(i);
    return std::nullopt;
}

}  // namespace caribou::link
