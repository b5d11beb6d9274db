#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "msg/message_value.hpp"

namespace caribou::msg {

/// A message for golden files. Its fields count up (1, 2, 3); signed numbers are negative, floating-point
/// numbers have a fraction, texts contain their number, and sequences have two elements.
class CountedMessage {
public:
    explicit CountedMessage(const MessageSchema& schema) : value_(message(schema)) {}

    const MessageValue& value() const { return value_; }

private:
    MessageValue message(const MessageSchema& schema) {
        MessageValue::List fields;
        for (const FieldSchema& field : schema.fields) {
            if (field.array == ArrayKind::none) {
                fields.push_back(element(field));
                continue;
            }
            MessageValue::List elements;
            const std::size_t size = field.array == ArrayKind::fixed ? field.size : 2;
            while (elements.size() < size) elements.push_back(element(field));
            fields.push_back({std::move(elements)});
        }
        return {std::move(fields)};
    }

    MessageValue element(const FieldSchema& field) {
        if (field.kind == FieldKind::message) return message(*field.message);
        ++count_;
        if (field.kind == FieldKind::text) return {fmt::format("text {}", count_)};
        MessageValue value = initial_element(field);
        if (auto* flag = std::get_if<bool>(&value.held)) *flag = count_ % 2 == 1;
        if (auto* number = std::get_if<std::int64_t>(&value.held)) *number = -count_;
        if (auto* number = std::get_if<std::uint64_t>(&value.held))
            *number = static_cast<std::uint64_t>(count_);
        if (auto* number = std::get_if<double>(&value.held)) *number = static_cast<double>(count_) + 0.25;
        return value;
    }

    std::int64_t count_ = 0;
    MessageValue value_;
};

}  // namespace caribou::msg
