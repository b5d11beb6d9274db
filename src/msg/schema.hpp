#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// The messages of ROS 2 that come with Caribou. Each stands in <package>/msg/<Name>.msg and is made into
/// `msg/<package>/<name>.hpp`, a plain struct with its codec (tools/msg_to_cpp.py). What is here is for who
/// meets a type only by its name, at run time.
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
    std::size_t text_bound;        ///< of a text; 0 for none
    const MessageSchema* message;  ///< if it is one
    double initial;                ///< what it is if nothing was said
};

struct MessageSchema {
    std::string_view type_name;  ///< `std_msgs/msg/String`
    std::span<const FieldSchema> fields;
    std::size_t least_size;  ///< bytes on the wire, at least
};

/// All there are.
std::span<const MessageSchema> known_schemas();
/// By `std_msgs/msg/String` or `std_msgs/String`; null if there is none.
const MessageSchema* find_schema(std::string_view type_name);
/// Their names, for suggestions.
std::span<const std::string> known_type_names();

}  // namespace caribou::msg
