#include <fmt/format.h>

#include "msg/message_value.hpp"

namespace caribou::msg {
namespace {

std::string shown(const MessageValue& value) {
    if (const auto* text = std::get_if<std::string>(&value.held)) return fmt::format("{:?}", *text);
    if (const auto* flag = std::get_if<bool>(&value.held)) return *flag ? "true" : "false";
    if (const auto* number = std::get_if<std::int64_t>(&value.held)) return fmt::format("{}", *number);
    if (const auto* number = std::get_if<std::uint64_t>(&value.held)) return fmt::format("{}", *number);
    return fmt::format("{}", std::get<double>(value.held));
}

/// Returns the value as text. A float32 is printed with its own precision, not that of the double that
/// contains it.
std::string shown(const FieldSchema& field, const MessageValue& value) {
    if (field.kind == FieldKind::float32)
        return fmt::format("{}", static_cast<float>(std::get<double>(value.held)));
    return shown(value);
}

void append(std::string& out, const MessageSchema& schema, const MessageValue& value, std::size_t indent,
            std::size_t most);

void append_list(std::string& out, const FieldSchema& field, const MessageValue::List& list,
                 std::size_t indent, std::size_t most) {
    if (field.kind != FieldKind::message || list.empty()) {
        out += " [";
        for (std::size_t i = 0; i < std::min(most, list.size()); ++i)
            out += (i == 0 ? "" : ", ") + shown(field, list[i]);
        out += list.size() > most ? fmt::format(", … {} in all]\n", list.size()) : "]\n";
        return;
    }
    out += '\n';
    for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
        out += std::string(indent, ' ') + "-\n";
        append(out, *field.message, list[i], indent + 2, most);
    }
    if (list.size() > most) out += fmt::format("{}… {} in all\n", std::string(indent, ' '), list.size());
}

void append(std::string& out, const MessageSchema& schema, const MessageValue& value, std::size_t indent,
            std::size_t most) {
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        const FieldSchema& field = schema.fields[i];
        const MessageValue& held = value.list()[i];
        out += fmt::format("{}{}:", std::string(indent, ' '), field.name);
        if (field.array != ArrayKind::none) {
            append_list(out, field, held.list(), indent, most);
        } else if (field.kind == FieldKind::message) {
            out += '\n';
            append(out, *field.message, held, indent + 2, most);
        } else {
            out += ' ' + shown(field, held) + '\n';
        }
    }
}

}  // namespace

std::string to_text(const MessageSchema& schema, const MessageValue& value, std::size_t most) {
    std::string out;
    append(out, schema, value, 0, most);
    return out;
}

}  // namespace caribou::msg
