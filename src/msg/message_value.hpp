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

/// The value of a field, an array or a whole message, whose type is known only at run time. A list holds
/// the elements of an array, or the fields of a message in their order.
struct MessageValue {
    using List = std::vector<MessageValue>;
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, List> held;

    friend bool operator==(const MessageValue&, const MessageValue&) = default;

    const List& list() const { return std::get<List>(held); }
    List& list() { return std::get<List>(held); }
};

/// With every field as the type says it is at first.
MessageValue initial_value(const MessageSchema& schema);
/// A field that is not an array, or an element of one.
MessageValue initial_element(const FieldSchema& field);

/// The value has the schema's form, as initial_value() and read_value() make it.
void write_value(wire::CdrWriter& to, const MessageSchema& schema, const MessageValue& value);
Result<MessageValue> read_value(wire::CdrReader& from, const MessageSchema& schema);
Bytes encode_value(const MessageSchema& schema, const MessageValue& value);
Result<MessageValue> decode_value(const MessageSchema& schema, ByteView payload);

/// A field inside a message: `pose.pose.position.x`, `transforms[0].child_frame_id`.
struct FieldPlace {
    const FieldSchema* field = nullptr;
    bool is_element = false;  ///< of the field's array, not the array
    std::vector<std::size_t> steps;

    friend bool operator==(const FieldPlace&, const FieldPlace&) = default;
};

/// Fails with a sentence that names the field and says what there is instead.
Result<FieldPlace> find_field(const MessageSchema& schema, std::string_view path);
/// Null if the value has no such element (now).
const MessageValue* at(const MessageValue& value, const FieldPlace& place);
/// The same, and sequences on the way grow by initial elements.
MessageValue* reach(const MessageSchema& schema, MessageValue& value, const FieldPlace& place);

/// As `ros2 topic echo` shows it: a field a line, indented; arrays of numbers in one line, cut after
/// `most` elements.
std::string to_text(const MessageSchema& schema, const MessageValue& value, std::size_t most = 16);

}  // namespace caribou::msg
