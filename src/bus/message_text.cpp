#include "bus/message_text.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/json_writer.hpp"
#include "base/number_text.hpp"
#include "bus/json_real.hpp"

namespace caribou::bus {
namespace {

using wire::DataType;

/// Returns the number of bytes of the UTF-8 character at the start; 0 if it is invalid.
std::size_t letter_size(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (first >= 0xf5 || size == 0 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
    // C1 control characters, which terminals interpret.
    if (first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0) return 0;
    return size;
}

void append_safely(std::string& out, char c) {
    if (c == '\n')
        out += "\\n";
    else if (c == '\t')
        out += "\\t";
    else
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

std::string hexadecimal(std::string_view bytes) {
    std::string digits;
    for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return digits;
}

}  // namespace

std::string_view type_name(DataType type) {
    switch (type) {
        case DataType::number: return "number";
        case DataType::string: return "string";
        case DataType::binary: return "binary";
        case DataType::none: break;
    }
    return "unwritten";
}

std::string time_of_day(double unix_seconds) {
    constexpr std::int64_t day = 86'400'000;
    if (!(std::abs(unix_seconds) < 1e15)) unix_seconds = 0;
    const std::int64_t milliseconds =
        ((static_cast<std::int64_t>(std::floor(unix_seconds * 1000)) % day) + day) % day;
    return fmt::format("{:02}:{:02}:{:02}.{:03}", milliseconds / 3'600'000, milliseconds / 60'000 % 60,
                       milliseconds / 1000 % 60, milliseconds % 1000);
}

std::string printable(std::string_view text, std::size_t longest) {
    std::string out;
    while (!text.empty()) {
        if (out.size() >= longest) return out + "…";
        const std::size_t size = letter_size(text);
        const bool control = static_cast<unsigned char>(text.front()) < 0x20 || text.front() == 0x7f;
        if (size == 0 || control)
            append_safely(out, text.front());
        else
            out.append(text.substr(0, size));
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

std::string value_text(const wire::MessageView& message, std::size_t longest) {
    switch (message.data_type) {
        case DataType::number: return number_text(message.value);
        case DataType::string: return printable(message.payload, longest);
        case DataType::binary: return fmt::format("<{} bytes>", message.payload.size());
        case DataType::none: break;
    }
    return {};
}

std::string message_line(const wire::MessageView& message) {
    return fmt::format("{}  {:<20} {:<16} {}", time_of_day(message.time), printable(message.key),
                       printable(message.source), value_text(message));
}

std::string message_json(const wire::MessageView& message) {
    JsonWriter to;
    to.begin_object();
    put_real(to, "time", message.time);
    to.member("variable", message.key);
    to.member("type", type_name(message.data_type));
    if (message.is_number())
        put_real(to, "value", message.value);
    else if (message.is_string())
        to.member("value", message.payload);
    else if (message.is_binary())
        to.member("value", hexadecimal(message.payload));
    else
        to.member("value", std::optional<double>());
    to.member("source", message.source);
    to.member("aux", message.aux);
    to.member("community", message.community);
    to.end_object();
    return std::move(to).take();
}

}  // namespace caribou::bus
