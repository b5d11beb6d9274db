#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "msg/message_value.hpp"

/// Converts values of the bus (a number, a text, bytes) to fields of messages, and back.
namespace caribou::negotiation {

/// Returns whether the field is a quaternion, which is represented on the bus by its angle about z.
bool is_rotation(const msg::FieldPlace& place);
/// Returns an error if no single value of the bus can represent the field. Supported are a number, a bool, a
/// text, a rotation, a list of numbers (as text: `1,2,3`), and bytes (binary).
Result<void> can_be_set(const msg::FieldPlace& place);

/// Each returns an error if the field cannot hold exactly this value.
Result<void> set_number(const msg::FieldPlace& place, msg::MessageValue& into, double number);
Result<void> set_text(const msg::FieldPlace& place, msg::MessageValue& into, std::string_view text);
Result<void> set_bytes(const msg::FieldPlace& place, msg::MessageValue& into, ByteView bytes);

using BusValue = std::variant<double, std::string, Bytes>;
/// Returns the value of a field for which can_be_set() succeeds, in its representation on the bus. Fails for
/// an integer that a number of the bus cannot hold exactly.
Result<BusValue> bus_value(const msg::FieldPlace& place, const msg::MessageValue& value);

}  // namespace caribou::negotiation
