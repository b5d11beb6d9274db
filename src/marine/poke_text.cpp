#include "marine/poke_text.hpp"

#include "base/number_text.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {

std::optional<PokeText> parse_poke(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || trimmed(text.substr(0, equals)).empty()) return std::nullopt;
    return PokeText{std::string(trimmed(text.substr(0, equals))),
                    std::string(trimmed(text.substr(equals + 1)))};
}

std::string expanded(std::string_view text, const Macros& macros) {
    std::string result;
    while (!text.empty()) {
        const std::size_t dollar = text.find('$');
        result += text.substr(0, dollar);
        if (dollar == std::string_view::npos) break;
        text.remove_prefix(dollar);
        const bool opens = text.size() > 1 && (text[1] == '(' || text[1] == '[');
        const std::size_t end = opens ? text.find(text[1] == '(' ? ')' : ']') : std::string_view::npos;
        const auto known =
            end == std::string_view::npos ? macros.end() : macros.find(text.substr(2, end - 2));
        if (known == macros.end()) {
            result += '$';
            text.remove_prefix(1);
        } else {
            result += known->second;
            text.remove_prefix(end + 1);
        }
    }
    return result;
}

std::variant<double, std::string> poke_value(std::string_view text) {
    if (const auto inside = enclosed(text, '"', '"')) return std::string(*inside);
    if (const auto number = number_in(text)) return *number;
    return std::string(text);
}

}  // namespace caribou::marine
