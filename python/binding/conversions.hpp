#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::python {

namespace py = pybind11;

/// Texts on the bus are bytes, usually UTF-8. Other bytes survive the conversion to str and back, like file
/// names in Python.
py::str to_str(std::string_view text);
/// The inverse of to_str().
std::string from_str(const py::str& text);

/// Converts the seconds between two values; raises ValueError if negative.
Duration interval_from(double seconds);

/// Raises ValueError for invalid arguments, otherwise RuntimeError.
[[noreturn]] void raise(const Error& error);

}  // namespace caribou::python
