#pragma once

#include <variant>
#include <vector>

#include "conversions.hpp"
#include "wire/message.hpp"

namespace caribou::python {

/// What a variable can be, from Python: numbers and what can be made one, str, and bytes,
/// bytearray or memoryview. Anything else is a TypeError.
struct Binary {
    std::string data;
};
using Value = std::variant<double, std::string, Binary>;
Value value_from(const py::object& object);

/// A list of messages, which are moved out.
py::list to_list(std::vector<wire::Message>&& messages);

}  // namespace caribou::python
