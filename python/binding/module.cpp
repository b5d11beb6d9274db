// The extension module caribou._caribou. Programs import caribou, which adds the parts written in Python: the
// threads that run callbacks, and the handling of exceptions.

#include "bindings.hpp"

PYBIND11_MODULE(_caribou, module) {
    using namespace caribou::python;
    bind_message(module);
    bind_client(module);
    bind_app(module);
    bind_alog(module);
    bind_robot_box(module);
    bind_topics(module);
}
