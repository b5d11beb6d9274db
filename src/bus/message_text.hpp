#pragma once

#include <string>
#include <string_view>

#include "wire/message.hpp"

namespace caribou::bus {

/// Returns `number`, `string` or `binary`; `unwritten` for a variable that was never written.
std::string_view type_name(wire::DataType type);

/// Returns HH:MM:SS.mmm of a UNIX time, in UTC.
std::string time_of_day(double unix_seconds);

/// Returns a text from outside in one line, safe to print: control characters and invalid UTF-8 are escaped
/// as `\n`, `\x1b`. A text longer than `longest` bytes is truncated and ends in `…`.
std::string printable(std::string_view text, std::size_t longest = std::string_view::npos);

/// Returns the value for people, in one line: `3.25`, `north`, `<12 bytes>`.
std::string value_text(const wire::MessageView& message, std::size_t longest = std::string_view::npos);

/// Returns `13:59:59.123  NAV_X                pNav             3.25`.
std::string message_line(const wire::MessageView& message);

/// Returns
/// `{"time":…,"variable":"NAV_X","type":"number","value":3.25,"source":"pNav","aux":"","community":"alpha"}`;
/// binary values are hexadecimal.
std::string message_json(const wire::MessageView& message);

}  // namespace caribou::bus
