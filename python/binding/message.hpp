#pragma once

#include <variant>
#include <vector>

#include "conversions.hpp"
#include "wire/message.hpp"

namespace caribou::python {

/// A value from Python: a number or an object convertible to one, str, or bytes, bytearray or memoryview.
/// Raises TypeError for other types.
struct Binary {
    std::string data;
};
using Value = std::variant<double, std::string, Binary>;
/// Converts a Python object to a value of the bus.
Value value_from(const py::object& object);

/// Converts messages to a list, moving them.
py::list to_list(std::vector<wire::Message>&& messages);

}  // namespace caribou::python
