#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "msg/message_value.hpp"

/// Values of the bus (a number, a text, bytes) into fields of messages, and back.
namespace caribou::negotiation {

/// Whether the field is a rotation, for which its angle about z stands on the bus.
bool is_rotation(const msg::FieldPlace& place);
/// Whether one value of the bus can stand for the field: a number, a bool, a text, a rotation, a list of
/// numbers (as text: `1,2,3`), or bytes (binary).
Result<void> can_be_set(const msg::FieldPlace& place);

/// Refuses what the field cannot hold, with a sentence.
Result<void> set_number(const msg::FieldPlace& place, msg::MessageValue& into, double number);
Result<void> set_text(const msg::FieldPlace& place, msg::MessageValue& into, std::string_view text);
Result<void> set_bytes(const msg::FieldPlace& place, msg::MessageValue& into, ByteView bytes);

using BusValue = std::variant<double, std::string, Bytes>;
BusValue bus_value(const msg::FieldPlace& place, const msg::MessageValue& value);

}  // namespace caribou::negotiation
