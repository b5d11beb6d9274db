#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// The ROS 2 messages that come with Caribou. Each is defined in <package>/msg/<Name>.msg, from which
/// tools/msg_to_cpp.py generates `msg/<package>/<name>.hpp`, a plain struct with its codec. The schemas
/// declared here are for code that knows a type only by its name, at run time.
namespace caribou::msg {

enum class FieldKind {
    boolean,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64,
    text,
    message,
};

enum class ArrayKind { none, fixed, bounded, unbounded };

struct MessageSchema;

struct FieldSchema {
    std::string_view name;
    FieldKind kind;
    ArrayKind array;
    std::size_t size;              ///< of a fixed array, or the bound of a bounded one
    std::size_t text_bound;        ///< maximum size of a text in bytes; 0 if unbounded
    const MessageSchema* message;  ///< schema of a nested message, otherwise nullptr
    double initial;                ///< default value
};

struct MessageSchema {
    std::string_view type_name;  ///< `std_msgs/msg/String`
    std::span<const FieldSchema> fields;
    std::size_t least_size;  ///< minimum size in bytes when serialized
};

/// Returns the schemas of all types.
std::span<const MessageSchema> known_schemas();
/// Finds a schema by `std_msgs/msg/String` or `std_msgs/String`. Returns nullptr if there is none.
const MessageSchema* find_schema(std::string_view type_name);
/// Returns the names of all types, for suggestions.
std::span<const std::string> known_type_names();

}  // namespace caribou::msg
