#include "base/json_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/number_text.hpp"

namespace caribou {
namespace {

/// Returns the size in bytes of the first UTF-8 character, or 0 if it is invalid.
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const std::size_t size = first < 0x80           ? 1
                             : first >> 5U == 0x06U ? 2
                             : first >> 4U == 0x0eU ? 3
                             : first >> 3U == 0x1eU ? 4
                                                    : 0;
    if (size <= 1 || size > text.size()) return size > text.size() ? 0 : size;
    unsigned code = first & (0xffU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if (byte(i) >> 6U != 0x02U) return 0;
        code = (code << 6U) | (byte(i) & 0x3fU);
    }
    constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[size] || surrogate || code > 0x10ffff ? 0 : size;
}

}  // namespace

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        const char c = text[0];
        if (size == 0)
            out += "\xef\xbf\xbd";
        else if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (size == 1 && static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return out + "\"";
}

std::string json_fixed(double number, int digits) {
    if (!std::isfinite(number)) return "null";
    return fmt::format("{:.{}f}", number, digits);
}

std::string json_of(const JsonNode& node) {
    using enum JsonNode::Kind;
    const auto items = [&] {
        std::string text;
        for (const JsonNode& item : node.items) {
            if (!text.empty()) text += ",";
            if (node.is(object)) text += json_quoted(item.key) + ":";
            text += json_of(item);
        }
        return text;
    };
    switch (node.kind) {
        case null: return "null";
        case truth: return node.truth ? "true" : "false";
        case number: return std::isfinite(node.number) ? number_text(node.number) : "null";
        case text: return json_quoted(node.text);
        case list: return "[" + items() + "]";
        case object: return "{" + items() + "}";
    }
    return "null";
}

}  // namespace caribou
