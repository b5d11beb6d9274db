#include "base/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace caribou {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t not_a_digit = 0xff;
constexpr std::array<std::uint8_t, 256> digit_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(not_a_digit);
    for (std::size_t i = 0; i < digits.size(); ++i)
        values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    return values;
}();

}  // namespace

std::string base64(ByteView bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(3, bytes.size()))) {
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < 3; ++i)
            three = three << 8 | (i < bytes.size() ? static_cast<std::uint32_t>(bytes[i]) : 0);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= bytes.size() ? digits[three >> (18 - 6 * i) & 0x3f] : '=';
    }
    return text;
}

std::optional<Bytes> base64_content(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    Bytes bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t at = 0; at < text.size(); at += 4) {
        const std::size_t padded = at + 4 == text.size() ? padding : 0;
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const std::uint8_t digit =
                i < 4 - padded ? digit_values[static_cast<unsigned char>(text[at + i])] : 0;
            if (digit == not_a_digit) return std::nullopt;
            three = three << 6 | digit;
        }
        for (std::size_t i = 0; i < 3 - padded; ++i)
            bytes.push_back(static_cast<std::byte>(three >> (16 - 8 * i) & 0xff));
    }
    return bytes;
}

}  // namespace caribou
