#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/json_node.hpp"
#include "base/json_writer.hpp"
#include "base/result.hpp"
#include "data/json_reading.hpp"

/// Data that crosses a process boundary or is shown to people. Each structure is described in
/// src/data/Name.msg, from which tools/data_to_code.py generates `data/name.hpp`: a plain struct or
/// enumeration, write_json(), read_from() and json_schema(). docs/formats/data.md describes the annotations.
namespace caribou::data {

/// Returns the JSON Schema of the type. Specialized for each described type.
template <class T>
std::string_view json_schema();

/// Returns the value as JSON. T is a described type.
template <class T>
std::string to_json(const T& value) {
    JsonWriter to;
    write_json(to, value);
    return std::move(to).take();
}

/// Returns the value, or Code::malformed with the path of the first wrong member, which begins with `name`.
/// Unknown members are ignored; missing ones keep their defaults.
template <class T>
Result<T> from_json(const JsonNode& node, std::string_view name) {
    JsonReading reading(name);
    Result<T> value{T{}};
    read_from(node, *value, reading);
    if (auto outcome = reading.outcome(); !outcome) value = fail(std::move(outcome.error()));
    return value;
}

}  // namespace caribou::data
