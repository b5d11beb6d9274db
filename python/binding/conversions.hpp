#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::python {

namespace py = pybind11;

/// Texts of the bus are bytes that mostly are UTF-8. What is not survives the way into a str and
/// back, as file names do in Python.
py::str to_str(std::string_view text);
std::string from_str(const py::str& text);

/// Seconds between two values; ValueError unless it is 0 or more.
Duration interval_from(double seconds);

/// Raises what fits best: ValueError for words that make no sense, RuntimeError for the rest.
[[noreturn]] void raise(const Error& error);

}  // namespace caribou::python
