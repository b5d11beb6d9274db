#include "conversions.hpp"

#include <cmath>

#include <fmt/format.h>

namespace caribou::python {

py::str to_str(std::string_view text) {
    PyObject* made =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
    if (made == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(made);
}

std::string from_str(const py::str& text) {
    PyObject* made = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
    if (made == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::bytes>(made);
}

Duration interval_from(double seconds) {
    if (std::isnan(seconds) || seconds < 0)
        throw py::value_error(fmt::format("an interval is 0 s or more, but this is {}", seconds));
    return from_seconds(seconds);
}

void raise(const Error& error) {
    if (error.code == Code::invalid_argument) throw py::value_error(error.message);
    throw std::runtime_error(error.message);
}

}  // namespace caribou::python
