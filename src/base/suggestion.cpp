#include "base/suggestion.hpp"

#include <fmt/format.h>

#include "base/nearest.hpp"

namespace caribou {

std::string instead_of(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t few = 8;
    if (const auto meant = nearest(word, known)) return fmt::format("; did you mean `{}`?", *meant);
    if (known.empty() || known.size() > few) return "";
    return fmt::format("; there {} {}", known.size() == 1 ? "is" : "are", listed(known));
}

std::string listed(std::span<const std::string> words, std::string_view last_joint) {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) list += i + 1 == words.size() ? fmt::format(" {} ", last_joint) : ", ";
        list += fmt::format("`{}`", words[i]);
    }
    return list;
}

}  // namespace caribou
