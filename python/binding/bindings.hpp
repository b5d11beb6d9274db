#pragma once

#include <pybind11/pybind11.h>

// The parts of the module, one per file.
namespace caribou::python {

void bind_message(pybind11::module_& module);
void bind_client(pybind11::module_& module);
void bind_app(pybind11::module_& module);
void bind_alog(pybind11::module_& module);
void bind_robot_box(pybind11::module_& module);
void bind_topics(pybind11::module_& module);

}  // namespace caribou::python
