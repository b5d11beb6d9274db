// Implements caribou.read_alog: wire::AlogReader over a Python buffer.

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "wire/alog.hpp"

namespace caribou::python {
namespace {

/// Reads the bytes of an object, which it locks against modification.
class AlogReader {
public:
    explicit AlogReader(const py::buffer& buffer)
        : info_(buffer.request()),
          reader_({static_cast<const char*>(info_.ptr), static_cast<std::size_t>(info_.size)}) {}

    /// Returns (time, variable, source, aux, value), or None at the end. A value stored in another file is
    /// (file, offset, bytes, is_binary).
    py::object next() {
        const auto entry = reader_.next();
        if (!entry) return py::none();
        return py::make_tuple(entry->time, to_str(entry->variable), to_str(entry->source), to_str(entry->aux),
                              value_of(*entry));
    }
    std::optional<double> log_start() const { return reader_.log_start(); }
    std::uint64_t passed_over() const { return reader_.passed_over(); }

private:
    static py::object value_of(const wire::AlogEntry& entry) {
        const bool is_binary = entry.type == wire::DataType::binary;
        if (const auto& at = entry.reference)
            return py::make_tuple(to_str(at->file), at->offset, at->bytes, is_binary);
        if (entry.type == wire::DataType::number) return py::float_(entry.number);
        if (is_binary) return py::bytes(entry.text.data(), entry.text.size());
        return to_str(entry.text);
    }

    py::buffer_info info_;
    wire::AlogReader reader_;
};

}  // namespace

void bind_alog(py::module_& module) {
    py::class_<AlogReader>(module, "AlogReader")
        .def(py::init<const py::buffer&>(), py::arg("text"))
        .def("next", &AlogReader::next)
        .def("log_start", &AlogReader::log_start)
        .def("passed_over", &AlogReader::passed_over);
}

}  // namespace caribou::python
