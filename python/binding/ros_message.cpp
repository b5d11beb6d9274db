#include "ros_message.hpp"

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "wire/cdr.hpp"

namespace caribou::python {
namespace {

using msg::ArrayKind;
using msg::FieldKind;
using msg::FieldSchema;
using msg::MessageSchema;

/// Calls `with` with a value of the C++ type of a number.
template <class F>
void with_number(FieldKind kind, F with) {
    switch (kind) {
        case FieldKind::int8: return with(std::int8_t{});
        case FieldKind::uint8: return with(std::uint8_t{});
        case FieldKind::int16: return with(std::int16_t{});
        case FieldKind::uint16: return with(std::uint16_t{});
        case FieldKind::int32: return with(std::int32_t{});
        case FieldKind::uint32: return with(std::uint32_t{});
        case FieldKind::int64: return with(std::int64_t{});
        case FieldKind::uint64: return with(std::uint64_t{});
        case FieldKind::float32: return with(float{});
        case FieldKind::float64: return with(double{});
        default: return;
    }
}

std::string type_of(const py::handle& value) { return Py_TYPE(value.ptr())->tp_name; }

bool is_bytes(const py::handle& value) {
    return py::isinstance<py::bytes>(value) || py::isinstance<py::bytearray>(value) ||
           py::isinstance<py::memoryview>(value);
}

std::string bytes_in(const py::handle& value) {
    PyObject* const made = PyBytes_FromObject(value.ptr());
    if (made == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::bytes>(made);
}

bool is_octets(const FieldSchema& field) {
    return field.kind == FieldKind::uint8 && field.array != ArrayKind::none;
}

class DictWriter {
public:
    void write(const MessageSchema& schema, const py::handle& message, const std::string& path) {
        const bool has_fields = !message.is_none();
        if (has_fields && !py::isinstance<py::dict>(message))
            throw py::type_error(fmt::format("{}: expected a dict with the fields of {}, found {}",
                                             named(path), schema.type_name, type_of(message)));
        if (has_fields) check_names(schema, py::reinterpret_borrow<py::dict>(message), path);
        for (const FieldSchema& field : schema.fields) {
            const std::string name(field.name);
            PyObject* const given = has_fields ? PyDict_GetItemString(message.ptr(), name.c_str()) : nullptr;
            write_field(field, given != nullptr ? py::handle(given) : py::handle(Py_None),
                        path.empty() ? name : path + "." + name);
        }
        if (schema.fields.empty()) to_.put(std::uint8_t{0});
    }
    Bytes take() { return std::move(to_).take(); }

private:
    static std::string named(const std::string& path) { return path.empty() ? "the message" : path; }

    static void check_names(const MessageSchema& schema, const py::dict& message, const std::string& path) {
        for (const auto& [key, value] : message) {
            const std::string name = py::str(key);
            if (std::ranges::find(schema.fields, name, &FieldSchema::name) != schema.fields.end()) continue;
            std::vector<std::string> known;
            for (const FieldSchema& field : schema.fields) known.emplace_back(field.name);
            throw py::value_error(fmt::format("{}: {} has no field `{}`{}", named(path), schema.type_name,
                                              name, instead_of(name, known)));
        }
    }

    void write_field(const FieldSchema& field, const py::handle& value, const std::string& path) {
        if (field.array == ArrayKind::none) return write_element(field, value, path);
        if (value.is_none()) {
            if (field.array != ArrayKind::fixed) return to_.put_count(0);
            for (std::size_t i = 0; i < field.size; ++i) write_element(field, value, path);
            return;
        }
        if (is_octets(field) && is_bytes(value)) return write_octets(field, bytes_in(value), path);
        if (!py::isinstance<py::sequence>(value) || py::isinstance<py::str>(value))
            throw py::type_error(fmt::format("{}: expected a list, found {}", path, type_of(value)));
        const auto list = py::reinterpret_borrow<py::sequence>(value);
        const std::size_t count = list.size();
        put_size(field, count, path);
        for (std::size_t i = 0; i < count; ++i)
            write_element(field, py::object(list[i]), fmt::format("{}[{}]", path, i));
    }

    void write_octets(const FieldSchema& field, const std::string& octets, const std::string& path) {
        put_size(field, octets.size(), path);
        to_.put_all(std::span(reinterpret_cast<const std::uint8_t*>(octets.data()), octets.size()));
    }

    void put_size(const FieldSchema& field, std::size_t count, const std::string& path) {
        const bool is_fixed = field.array == ArrayKind::fixed;
        if ((is_fixed && count != field.size) || (field.array == ArrayKind::bounded && count > field.size))
            throw py::value_error(fmt::format("{}: expected {}{} elements, found {}", path,
                                              is_fixed ? "" : "at most ", field.size, count));
        if (!is_fixed) to_.put_count(count);
    }

    /// None is the default.
    void write_element(const FieldSchema& field, const py::handle& value, const std::string& path) {
        if (field.kind == FieldKind::message) return write(*field.message, value, path);
        if (field.kind == FieldKind::text) return write_text(field, value, path);
        if (field.kind == FieldKind::boolean) {
            if (!value.is_none() && !py::isinstance<py::bool_>(value))
                throw py::type_error(fmt::format("{}: expected a bool, found {}", path, type_of(value)));
            return to_.put(value.is_none() ? field.initial != 0 : value.cast<bool>());
        }
        with_number(field.kind, [&]<class T>(T) {
            to_.put(value.is_none() ? static_cast<T>(field.initial) : number<T>(value, path));
        });
    }

    void write_text(const FieldSchema& field, const py::handle& value, const std::string& path) {
        if (value.is_none()) return to_.put(std::string_view());
        if (!py::isinstance<py::str>(value))
            throw py::type_error(fmt::format("{}: expected a str, found {}", path, type_of(value)));
        const std::string text = from_str(py::reinterpret_borrow<py::str>(value));
        if (field.text_bound != 0 && text.size() > field.text_bound)
            throw py::value_error(
                fmt::format("{}: expected at most {} bytes, found {}", path, field.text_bound, text.size()));
        to_.put(std::string_view(text));
    }

    template <class T>
    static T number(const py::handle& value, const std::string& path) {
        const auto refuse = [&](std::string_view expected) {
            PyErr_Clear();
            throw py::value_error(
                fmt::format("{}: expected {}, found {}", path, expected, std::string(py::repr(value))));
        };
        if constexpr (std::floating_point<T>) {
            const double given = PyFloat_AsDouble(value.ptr());
            if (PyErr_Occurred() != nullptr) refuse("a number");
            return static_cast<T>(given);
        } else {
            // Also whole numbers of other libraries.
            const auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
            if (!integer) refuse("an integer");
            if constexpr (std::same_as<T, std::uint64_t>) {
                const unsigned long long given = PyLong_AsUnsignedLongLong(integer.ptr());
                if (PyErr_Occurred() != nullptr) refuse("an integer from 0 to 2^64 - 1");
                return given;
            } else {
                const long long given = PyLong_AsLongLong(integer.ptr());
                const bool fits = PyErr_Occurred() == nullptr && std::in_range<T>(given);
                if (!fits)
                    refuse(fmt::format("an integer from {} to {}", std::numeric_limits<T>::lowest(),
                                       std::numeric_limits<T>::max()));
                return static_cast<T>(given);
            }
        }
    }

    wire::CdrWriter to_;
};

std::size_t least_element_size(const FieldSchema& field) {
    if (field.kind == FieldKind::message) return field.message->least_size;
    if (field.kind == FieldKind::text) return sizeof(std::uint32_t);
    std::size_t size = 1;
    with_number(field.kind, [&]<class T>(T) { size = sizeof(T); });
    return size;
}

py::dict read_message(wire::CdrReader& from, const MessageSchema& schema);

py::object read_element(wire::CdrReader& from, const FieldSchema& field) {
    if (field.kind == FieldKind::message) return read_message(from, *field.message);
    if (field.kind == FieldKind::boolean) return py::bool_(from.take<bool>());
    if (field.kind == FieldKind::text) {
        const std::string text = from.take_string();
        if (field.text_bound != 0 && text.size() > field.text_bound)
            from.refuse(fmt::format("a text of more than {} bytes", field.text_bound));
        return to_str(text);
    }
    py::object value;
    with_number(field.kind, [&]<class T>(T) { value = py::cast(from.take<T>()); });
    return value;
}

py::object read_array(wire::CdrReader& from, const FieldSchema& field) {
    std::size_t count = field.size;
    if (field.array == ArrayKind::unbounded) count = from.take_count(least_element_size(field));
    if (field.array == ArrayKind::bounded) count = from.take_count(least_element_size(field), field.size);
    if (is_octets(field)) {
        std::vector<std::uint8_t> octets(count);
        from.take_all(std::span(octets));
        return py::bytes(reinterpret_cast<const char*>(octets.data()), octets.size());
    }
    py::list list;
    for (std::size_t i = 0; i < count && !from.failed(); ++i) list.append(read_element(from, field));
    return list;
}

py::dict read_message(wire::CdrReader& from, const MessageSchema& schema) {
    py::dict fields;
    for (const FieldSchema& field : schema.fields)
        fields[to_str(field.name)] =
            field.array == ArrayKind::none ? read_element(from, field) : read_array(from, field);
    if (schema.fields.empty()) from.take<std::uint8_t>();
    return fields;
}

}  // namespace

Bytes encode_message(const MessageSchema& schema, const py::object& message) {
    if (is_bytes(message)) {
        const std::string bytes = bytes_in(message);
        const ByteView view = bytes_of(bytes);
        return {view.begin(), view.end()};
    }
    DictWriter writer;
    writer.write(schema, message, "");
    return writer.take();
}

py::dict decode_message(const MessageSchema& schema, ByteView payload) {
    wire::CdrReader reader(payload);
    py::dict message = read_message(reader, schema);
    if (const auto outcome = reader.outcome(); !outcome)
        throw py::value_error(fmt::format("{}: {}", schema.type_name, outcome.error().message));
    return message;
}

}  // namespace caribou::python
