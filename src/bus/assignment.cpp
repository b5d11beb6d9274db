#include "bus/assignment.hpp"

#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"

namespace caribou::bus {
namespace {

using wire::DataType;

std::optional<std::string> bytes_of_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        unsigned char byte = 0;
        const char* const end = digits.data() + i + 2;
        const auto [stop, failed] = std::from_chars(digits.data() + i, end, byte, 16);
        if (failed != std::errc{} || stop != end) return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

Result<Assignment> stated(std::string_view key, std::string_view type, std::string_view value) {
    Assignment made{.key = std::string(key), .type = DataType::string, .text = std::string(value)};
    if (type.empty() || type == "string") return made;
    if (type == "number") {
        const auto number = number_in(value);
        if (!number)
            return fail(Code::invalid_argument, fmt::format("`{}` for {} is not a number", value, key));
        return Assignment{.key = std::string(key), .number = *number};
    }
    if (type == "binary") {
        auto bytes = bytes_of_hex(value);
        if (!bytes)
            return fail(Code::invalid_argument,
                        fmt::format("`{}` for {} is not hexadecimal bytes such as 00ff7e", value, key));
        made.type = DataType::binary;
        made.text = std::move(*bytes);
        return made;
    }
    const std::vector<std::string> types{"number", "string", "binary"};
    return fail(Code::invalid_argument,
                fmt::format("`{}` is not a type of a variable{}", type, instead_of(type, types)));
}

}  // namespace

Result<Assignment> Assignment::parse(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return fail(Code::invalid_argument, fmt::format("`{}` has no value; expected {}=VALUE", text, text));
    std::string_view key = text.substr(0, equals);
    const std::string_view value = text.substr(equals + 1);
    const std::size_t colon = key.rfind(':');
    const auto type = colon == std::string_view::npos ? std::nullopt : std::optional(key.substr(colon + 1));
    key = key.substr(0, colon);
    if (key.empty())
        return fail(Code::invalid_argument,
                    fmt::format("`{}` has no variable name; expected NAME=VALUE", text));
    if (type) return stated(key, *type, value);
    if (const auto number = number_in(value)) return Assignment{.key = std::string(key), .number = *number};
    return stated(key, "string", value);
}

bool Assignment::is_in(const wire::MessageView& message) const {
    if (message.key != key || message.data_type != type) return false;
    return type == DataType::number ? message.value == number : message.payload == text;
}

}  // namespace caribou::bus
