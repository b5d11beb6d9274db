// The extension module caribou._caribou. People import caribou, which adds what is easier said in
// Python: the threads that run callbacks, and what becomes of an exception.

#include "bindings.hpp"

PYBIND11_MODULE(_caribou, module) {
    using namespace caribou::python;
    bind_message(module);
    bind_client(module);
    bind_app(module);
    bind_alog(module);
}
