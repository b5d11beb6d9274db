#pragma once

#include <string>
#include <string_view>

#include "wire/message.hpp"

namespace caribou::bus {

/// `number`, `string` or `binary`; `unwritten` for a variable that nobody has written yet.
std::string_view type_name(wire::DataType type);

/// HH:MM:SS.mmm of a UNIX time, in UTC.
std::string time_of_day(double unix_seconds);

/// A text from outside in one line, safe to print: control characters and what is no UTF-8 become
/// `\n`, `\x1b`. Longer than `longest` bytes: cut, and `…` at the end.
std::string printable(std::string_view text, std::size_t longest = std::string_view::npos);

/// The value for people, in one line: `3.25`, `north`, `<12 bytes>`.
std::string value_text(const wire::MessageView& message, std::size_t longest = std::string_view::npos);

/// `13:59:59.123  NAV_X                pNav             3.25`
std::string message_line(const wire::MessageView& message);

/// `{"time":…,"variable":"NAV_X","type":"number","value":3.25,"source":"pNav","aux":"","community":"alpha"}`;
/// binary values in hexadecimal.
std::string message_json(const wire::MessageView& message);

}  // namespace caribou::bus
