#include "msg/message_value.hpp"

#include "base/check.hpp"

namespace caribou::msg {
namespace {

/// Calls `with` with a value of the C++ type that corresponds to the kind: `with(std::int16_t{})`.
template <class F>
void with_number_of(FieldKind kind, F with) {
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
        case FieldKind::boolean:
        case FieldKind::text:
        case FieldKind::message: break;
    }
    check(false, "a kind of number");
}

/// The type in which a MessageValue stores a number: the widest of its category.
template <class T>
using Held = std::conditional_t<std::floating_point<T>, double,
                                std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t>>;

void write_element(wire::CdrWriter& to, const FieldSchema& field, const MessageValue& value) {
    switch (field.kind) {
        case FieldKind::boolean: return to.put(std::get<bool>(value.held));
        case FieldKind::text: return to.put(std::string_view(std::get<std::string>(value.held)));
        case FieldKind::message: return write_value(to, *field.message, value);
        default: break;
    }
    with_number_of(field.kind, [&]<class T>(T) { to.put(static_cast<T>(std::get<Held<T>>(value.held))); });
}

MessageValue take_message(wire::CdrReader& from, const MessageSchema& schema);

MessageValue take_element(wire::CdrReader& from, const FieldSchema& field) {
    switch (field.kind) {
        case FieldKind::boolean: return {from.take<bool>()};
        case FieldKind::text: {
            MessageValue value{from.take_string()};
            if (field.text_bound != 0 && std::get<std::string>(value.held).size() > field.text_bound)
                from.refuse("a text of more than " + std::to_string(field.text_bound) + " bytes");
            return value;
        }
        case FieldKind::message: return take_message(from, *field.message);
        default: break;
    }
    MessageValue value;
    with_number_of(field.kind, [&]<class T>(T) { value.held = static_cast<Held<T>>(from.take<T>()); });
    return value;
}

std::size_t least_size(const FieldSchema& field) {
    if (field.kind == FieldKind::message) return field.message->least_size;
    if (field.kind == FieldKind::text) return sizeof(std::uint32_t);
    std::size_t size = 1;
    if (field.kind != FieldKind::boolean) with_number_of(field.kind, [&]<class T>(T) { size = sizeof(T); });
    return size;
}

std::size_t take_size(wire::CdrReader& from, const FieldSchema& field) {
    if (field.array == ArrayKind::fixed) return field.size;
    if (field.array == ArrayKind::bounded) return from.take_count(least_size(field), field.size);
    return from.take_count(least_size(field));
}

MessageValue take_message(wire::CdrReader& from, const MessageSchema& schema) {
    MessageValue::List fields;
    fields.reserve(schema.fields.size());
    for (const FieldSchema& field : schema.fields) {
        if (field.array == ArrayKind::none) {
            fields.push_back(take_element(from, field));
            continue;
        }
        MessageValue::List elements(take_size(from, field));
        for (MessageValue& element : elements) element = take_element(from, field);
        fields.push_back({std::move(elements)});
    }
    if (schema.fields.empty()) from.take<std::uint8_t>();
    return {std::move(fields)};
}

}  // namespace

MessageValue initial_element(const FieldSchema& field) {
    switch (field.kind) {
        case FieldKind::boolean: return {field.initial != 0};
        case FieldKind::text: return {std::string()};
        case FieldKind::message: return initial_value(*field.message);
        default: break;
    }
    MessageValue value;
    with_number_of(field.kind, [&]<class T>(T) { value.held = static_cast<Held<T>>(field.initial); });
    return value;
}

MessageValue initial_value(const MessageSchema& schema) {
    MessageValue::List fields;
    for (const FieldSchema& field : schema.fields) {
        if (field.array == ArrayKind::none)
            fields.push_back(initial_element(field));
        else if (field.array == ArrayKind::fixed)
            fields.push_back({MessageValue::List(field.size, initial_element(field))});
        else
            fields.push_back({MessageValue::List()});
    }
    return {std::move(fields)};
}

void write_value(wire::CdrWriter& to, const MessageSchema& schema, const MessageValue& value) {
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        const FieldSchema& field = schema.fields[i];
        const MessageValue& held = value.list()[i];
        if (field.array == ArrayKind::none) {
            write_element(to, field, held);
            continue;
        }
        if (field.array == ArrayKind::fixed)
            check(held.list().size() == field.size, "an array of its size");
        else
            to.put_count(held.list().size());
        for (const MessageValue& element : held.list()) write_element(to, field, element);
    }
    if (schema.fields.empty()) to.put(std::uint8_t{0});
}

Result<MessageValue> read_value(wire::CdrReader& from, const MessageSchema& schema) {
    MessageValue value = take_message(from, schema);
    if (auto outcome = from.outcome(); !outcome) return fail(std::move(outcome.error()));
    return value;
}

Bytes encode_value(const MessageSchema& schema, const MessageValue& value) {
    wire::CdrWriter writer;
    write_value(writer, schema, value);
    return std::move(writer).take();
}

Result<MessageValue> decode_value(const MessageSchema& schema, ByteView payload) {
    wire::CdrReader reader(payload);
    return read_value(reader, schema);
}

}  // namespace caribou::msg
