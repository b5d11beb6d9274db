#include "message.hpp"

#include "bindings.hpp"

namespace caribou::python {
namespace {

using wire::Message;

/// Returns the value of a message as the matching Python type.
py::object value_of(const Message& message) {
    if (message.is_number()) return py::float_(message.value);
    if (message.is_binary()) return py::bytes(message.payload);
    return to_str(message.payload);
}

/// Returns one line with source, variable and time.
py::str trace_of(const Message& message) {
    return py::str("{} = {!r} from {} in {} at {:.3f}")
        .format(to_str(message.key), value_of(message), to_str(message.source), to_str(message.community),
                message.time);
}

std::string bytes_from(const py::object& object) {
    Py_buffer view;
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0) throw py::error_already_set();
    std::string data(static_cast<const char*>(view.buf), static_cast<std::size_t>(view.len));
    PyBuffer_Release(&view);
    return data;
}

bool holds_bytes(const py::object& object) {
    return PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr()) || PyMemoryView_Check(object.ptr());
}

}  // namespace

Value value_from(const py::object& object) {
    if (py::isinstance<py::str>(object)) return from_str(object);
    if (holds_bytes(object)) return Binary{bytes_from(object)};
    const double number = PyFloat_AsDouble(object.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
        if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
        PyErr_Clear();
        throw py::type_error("a value is a number, a str or bytes, but this is a " +
                             std::string(py::str(py::type::of(object).attr("__name__"))));
    }
    return number;
}

py::list to_list(std::vector<Message>&& messages) {
    py::list list(messages.size());
    std::size_t i = 0;
    for (Message& message : messages) list[i++] = py::cast(std::move(message));
    return list;
}

void bind_message(py::module_& module) {
    py::class_<Message>(module, "moos_msg")
        .def("key", [](const Message& m) { return to_str(m.key); })
        .def("name", [](const Message& m) { return to_str(m.key); })
        .def(
            "is_name", [](const Message& m, const py::str& name) { return m.key == from_str(name); },
            py::arg("name"))
        .def("time", [](const Message& m) { return m.time; })
        .def("source", [](const Message& m) { return to_str(m.source); })
        .def("source_aux", [](const Message& m) { return to_str(m.aux); })
        .def("community", [](const Message& m) { return to_str(m.community); })
        .def("value", &value_of)
        .def("is_double", &Message::is_number)
        .def("double", [](const Message& m) { return m.value; })
        .def("double_aux", [](const Message& m) { return m.value2; })
        .def("is_string", &Message::is_string)
        .def("string", [](const Message& m) { return to_str(m.payload); })
        .def("is_binary", &Message::is_binary)
        .def("binary_data", [](const Message& m) { return py::bytes(m.payload); })
        .def("binary_data_size", [](const Message& m) { return m.is_binary() ? m.payload.size() : 0; })
        .def("mark_as_binary",
             [](Message& m) {
                 if (m.is_string()) m.data_type = wire::DataType::binary;
             })
        .def("trace", [](const Message& m) { py::print(trace_of(m)); })
        .def("__repr__", [](const Message& m) { return py::str("<moos_msg {}>").format(trace_of(m)); });
}

}  // namespace caribou::python
