#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <rapidcheck.h>

#include "base/check.hpp"
#include "msg/message_value.hpp"

namespace caribou::msg {

inline MessageValue arbitrary_element(const FieldSchema& field);

/// Returns a generator of arbitrary messages of a type, for tests.
inline rc::Gen<MessageValue> arbitrary_message(const MessageSchema& schema) {
    return rc::gen::exec([&schema] {
        MessageValue::List fields;
        for (const FieldSchema& field : schema.fields) {
            if (field.array == ArrayKind::none) {
                fields.push_back(arbitrary_element(field));
                continue;
            }
            std::size_t size = field.size;
            if (field.array != ArrayKind::fixed) size = *rc::gen::inRange<std::size_t>(0, 4);
            MessageValue::List elements;
            for (std::size_t i = 0; i < size; ++i) elements.push_back(arbitrary_element(field));
            fields.push_back({std::move(elements)});
        }
        return MessageValue{std::move(fields)};
    });
}

template <class T, class Held>
MessageValue arbitrary_number() {
    return {static_cast<Held>(*rc::gen::arbitrary<T>())};
}

inline MessageValue arbitrary_element(const FieldSchema& field) {
    switch (field.kind) {
        case FieldKind::boolean: return {*rc::gen::arbitrary<bool>()};
        case FieldKind::int8: return arbitrary_number<std::int8_t, std::int64_t>();
        case FieldKind::uint8: return arbitrary_number<std::uint8_t, std::uint64_t>();
        case FieldKind::int16: return arbitrary_number<std::int16_t, std::int64_t>();
        case FieldKind::uint16: return arbitrary_number<std::uint16_t, std::uint64_t>();
        case FieldKind::int32: return arbitrary_number<std::int32_t, std::int64_t>();
        case FieldKind::uint32: return arbitrary_number<std::uint32_t, std::uint64_t>();
        case FieldKind::int64: return arbitrary_number<std::int64_t, std::int64_t>();
        case FieldKind::uint64: return arbitrary_number<std::uint64_t, std::uint64_t>();
        case FieldKind::float32: return arbitrary_number<float, double>();
        case FieldKind::float64: return arbitrary_number<double, double>();
        case FieldKind::text: {
            std::string text = *rc::gen::string<std::string>();
            if (field.text_bound != 0) text.resize(std::min(text.size(), field.text_bound));
            return {std::move(text)};
        }
        case FieldKind::message: return *arbitrary_message(*field.message);
    }
    check(false, "a kind of field");
    return {};
}

}  // namespace caribou::msg
