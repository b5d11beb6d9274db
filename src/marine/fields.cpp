#include "marine/fields.hpp"

#include <cmath>

#include <fmt/format.h>

namespace caribou::marine {

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::vector<std::string_view> split_outside(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    if (trimmed(text).empty()) return parts;
    std::size_t begin = 0;
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : separator;
        if (i < text.size() && c == '"') quoted = !quoted;
        if (!quoted && c == '{') ++depth;
        if (!quoted && c == '}' && depth > 0) --depth;
        if (i < text.size() && (c != separator || depth > 0 || quoted)) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    return parts;
}

std::vector<TextField> fields_in(std::string_view text) {
    std::vector<TextField> fields;
    for (const std::string_view part : split_outside(text, ',')) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            fields.push_back({"", part});
        else
            fields.push_back({lower(trimmed(part.substr(0, equals))), trimmed(part.substr(equals + 1))});
    }
    return fields;
}

std::optional<std::string_view> enclosed(std::string_view text, char begin, char end) {
    if (text.size() < 2 || text.front() != begin || text.back() != end) return std::nullopt;
    return text.substr(1, text.size() - 2);
}

std::string short_number(double number, int digits) {
    std::string text = fmt::format("{:.{}f}", number, digits);
    if (text.contains('.')) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.')) text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

std::optional<bool> truth_in(std::string_view text) {
    const std::string word = lower(trimmed(text));
    if (word == "true") return true;
    if (word == "false") return false;
    return std::nullopt;
}

}  // namespace caribou::marine
