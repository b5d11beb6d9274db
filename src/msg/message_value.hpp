#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "msg/schema.hpp"
#include "wire/cdr.hpp"

namespace caribou::msg {

/// The value of a field, an array or a whole message whose type is known only at run time. A list contains
/// the elements of an array, or the fields of a message in order.
struct MessageValue {
    using List = std::vector<MessageValue>;
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, List> held;

    friend bool operator==(const MessageValue&, const MessageValue&) = default;

    const List& list() const { return std::get<List>(held); }
    List& list() { return std::get<List>(held); }
};

/// Returns a message in which every field has the default value of its type.
MessageValue initial_value(const MessageSchema& schema);
/// Returns the default of a field that is not an array, or of an element of one.
MessageValue initial_element(const FieldSchema& field);

/// Serialize and deserialize. The value must match the schema, as those that initial_value() and read_value()
/// return. Invalid input is reported as Code::malformed.
void write_value(wire::CdrWriter& to, const MessageSchema& schema, const MessageValue& value);
Result<MessageValue> read_value(wire::CdrReader& from, const MessageSchema& schema);
Bytes encode_value(const MessageSchema& schema, const MessageValue& value);
Result<MessageValue> decode_value(const MessageSchema& schema, ByteView payload);

/// The path to a field inside a message: `pose.pose.position.x`, `transforms[0].child_frame_id`.
struct FieldPlace {
    const FieldSchema* field = nullptr;
    bool is_element = false;  ///< refers to an element of the array, not to the array itself
    std::vector<std::size_t> steps;

    friend bool operator==(const FieldPlace&, const FieldPlace&) = default;
};

/// Returns the path, or an error that names the unknown field and suggests an existing one.
Result<FieldPlace> find_field(const MessageSchema& schema, std::string_view path);
/// Returns the value at a path, or nullptr if an array on the path is too short.
const MessageValue* at(const MessageValue& value, const FieldPlace& place);
/// Like at(), but extends sequences on the path with default elements. Never returns nullptr.
MessageValue* reach(const MessageSchema& schema, MessageValue& value, const FieldPlace& place);

/// Returns the message in the format of `ros2 topic echo`: one field per line, indented; arrays of numbers on
/// one line, truncated after `most` elements.
std::string to_text(const MessageSchema& schema, const MessageValue& value, std::size_t most = 16);

}  // namespace caribou::msg
