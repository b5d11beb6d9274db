#include "base/web_form.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

namespace caribou {
namespace {

std::string form_decoded(std::string text) {
    std::ranges::replace(text, '+', ' ');
    return percent_decoded(text);
}

}  // namespace

std::string percent_decoded(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned char code = 0;
        if (text[i] == '%' && i + 2 < text.size()) {
            const char* const end = text.data() + i + 3;
            const auto [read_to, error] = std::from_chars(text.data() + i + 1, end, code, 16);
            if (error == std::errc{} && read_to == end) {
                decoded += static_cast<char>(code);
                i += 2;
                continue;
            }
        }
        decoded += text[i];
    }
    return decoded;
}

std::string percent_encoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if ((code < 0x80 && std::isalnum(code) != 0) || std::string_view("-_.~").contains(c))
            encoded += c;
        else
            fmt::format_to(std::back_inserter(encoded), "%{:02X}", code);
    }
    return encoded;
}

WebForm parse_form(std::string_view text) {
    WebForm form;
    while (!text.empty()) {
        const std::string_view field = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), field.size() + 1));
        const std::size_t equals = std::min(field.find('='), field.size());
        if (field.empty()) continue;
        const std::string_view value = field.substr(std::min(field.size(), equals + 1));
        form.try_emplace(form_decoded(std::string(field.substr(0, equals))),
                         form_decoded(std::string(value)));
    }
    return form;
}

WebTarget parse_target(std::string_view text) {
    text = text.substr(0, text.find('#'));
    const std::size_t mark = std::min(text.find('?'), text.size());
    std::string_view path = text.substr(0, mark);
    if (path.starts_with('/')) path.remove_prefix(1);
    return {percent_decoded(path), parse_form(text.substr(std::min(text.size(), mark + 1)))};
}

}  // namespace caribou
