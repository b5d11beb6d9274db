#include "negotiation/message_setting.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "negotiation/ros_units.hpp"

namespace caribou::negotiation {
namespace {

using msg::ArrayKind;
using msg::FieldKind;
using msg::FieldPlace;
using msg::MessageValue;

bool is_list(const FieldPlace& place) { return place.field->array != ArrayKind::none && !place.is_element; }
bool is_octets(const FieldPlace& place) { return is_list(place) && place.field->kind == FieldKind::uint8; }

struct Range {
    double low;
    double high;
};

template <class T>
constexpr Range range_of() {
    return {static_cast<double>(std::numeric_limits<T>::lowest()),
            static_cast<double>(std::numeric_limits<T>::max())};
}

Range range_of(FieldKind kind) {
    switch (kind) {
        case FieldKind::int8: return range_of<std::int8_t>();
        case FieldKind::uint8: return range_of<std::uint8_t>();
        case FieldKind::int16: return range_of<std::int16_t>();
        case FieldKind::uint16: return range_of<std::uint16_t>();
        case FieldKind::int32: return range_of<std::int32_t>();
        case FieldKind::uint32: return range_of<std::uint32_t>();
        case FieldKind::int64: return {-0x1p63, 0x1.fffffffffffffp62};
        case FieldKind::uint64: return {0, 0x1.fffffffffffffp63};
        default: return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    }
}

std::unexpected<Error> wrong(const FieldPlace& place, std::string_view what) {
    return fail(Code::invalid_argument, fmt::format("`{}` cannot be {}", place.field->name, what));
}

/// Returns an element of the field, which must be of a numeric type or bool. Fails if `number` is out of
/// range.
Result<MessageValue> element_of(const FieldPlace& place, double number) {
    MessageValue element = msg::initial_element(*place.field);
    if (auto* real = std::get_if<double>(&element.held)) {
        *real = number;
        return element;
    }
    if (auto* flag = std::get_if<bool>(&element.held)) {
        *flag = number != 0;
        return element;
    }
    const double whole = std::round(number);
    const Range range = range_of(place.field->kind);
    if (!(whole >= range.low && whole <= range.high))
        return wrong(place, fmt::format("{}: it does not fit", number));
    if (auto* integer = std::get_if<std::int64_t>(&element.held)) *integer = static_cast<std::int64_t>(whole);
    if (auto* integer = std::get_if<std::uint64_t>(&element.held))
        *integer = static_cast<std::uint64_t>(whole);
    return element;
}

bool has_room(const FieldPlace& place, std::size_t count) {
    if (place.field->array == ArrayKind::fixed) return count == place.field->size;
    return place.field->array != ArrayKind::bounded || count <= place.field->size;
}

Result<void> set_list(const FieldPlace& place, MessageValue& into, MessageValue::List list) {
    if (!has_room(place, list.size())) return wrong(place, fmt::format("a list of {} elements", list.size()));
    into.held = std::move(list);
    return {};
}

double number_of(const MessageValue& value) {
    if (const auto* flag = std::get_if<bool>(&value.held)) return *flag ? 1 : 0;
    if (const auto* number = std::get_if<std::int64_t>(&value.held)) return static_cast<double>(*number);
    if (const auto* number = std::get_if<std::uint64_t>(&value.held)) return static_cast<double>(*number);
    return std::get<double>(value.held);
}

}  // namespace

bool is_rotation(const FieldPlace& place) {
    return !is_list(place) && place.field->kind == FieldKind::message &&
           place.field->message->type_name == "geometry_msgs/msg/Quaternion";
}

Result<void> can_be_set(const FieldPlace& place) {
    if (is_rotation(place)) return {};
    if (place.field->kind == FieldKind::message)
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is a message: name one of its fields, `{}.{}`", place.field->name,
                                place.field->name, place.field->message->fields.front().name));
    if (is_list(place) && place.field->kind == FieldKind::text)
        return fail(Code::invalid_argument,
                    fmt::format("`{0}` is a list of texts: name one of them, `{0}[0]`", place.field->name));
    return {};
}

Result<void> set_number(const FieldPlace& place, MessageValue& into, double number) {
    if (is_rotation(place)) {
        const PlanarRotation rotation = rotation_of(number);
        into.held = MessageValue::List{{0.0}, {0.0}, {rotation.z}, {rotation.w}};
        return {};
    }
    if (is_list(place)) {
        auto element = element_of(place, number);
        if (!element) return fail(std::move(element.error()));
        return set_list(place, into, {std::move(*element)});
    }
    if (place.field->kind == FieldKind::text) return set_text(place, into, number_text(number));
    if (place.field->kind == FieldKind::message) return wrong(place, "a number: it is a message");
    auto element = element_of(place, number);
    if (!element) return fail(std::move(element.error()));
    into = std::move(*element);
    return {};
}

Result<void> set_text(const FieldPlace& place, MessageValue& into, std::string_view text) {
    if (place.field->kind == FieldKind::text && !is_list(place)) {
        if (place.field->text_bound != 0 && text.size() > place.field->text_bound)
            return wrong(place, fmt::format("a text of {} bytes: at most {} are allowed", text.size(),
                                            place.field->text_bound));
        into.held = std::string(text);
        return {};
    }
    if (!is_list(place) || place.field->kind == FieldKind::message || place.field->kind == FieldKind::text) {
        const auto number = number_in(text);
        if (text == "true" || text == "false") return set_number(place, into, text == "true" ? 1 : 0);
        return number ? set_number(place, into, *number)
                      : wrong(place, fmt::format("`{}`: it is no number", text));
    }
    MessageValue::List list;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto number = number_in(text.substr(0, comma));
        if (!number)
            return wrong(place, fmt::format("`{}`: write numbers, as in `1,2.5,3`", text.substr(0, comma)));
        auto element = element_of(place, *number);
        if (!element) return fail(std::move(element.error()));
        list.push_back(std::move(*element));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return set_list(place, into, std::move(list));
}

Result<void> set_bytes(const FieldPlace& place, MessageValue& into, ByteView bytes) {
    if (!is_octets(place)) return set_text(place, into, text_of(bytes));
    MessageValue::List list;
    list.reserve(bytes.size());
    for (const std::byte byte : bytes) list.push_back({std::to_integer<std::uint64_t>(byte)});
    return set_list(place, into, std::move(list));
}

BusValue bus_value(const FieldPlace& place, const MessageValue& value) {
    if (is_rotation(place)) {
        const auto part = [&](std::size_t i) { return std::get<double>(value.list()[i].held); };
        return yaw_of(part(0), part(1), part(2), part(3));
    }
    if (is_octets(place)) {
        Bytes bytes;
        for (const MessageValue& each : value.list())
            bytes.push_back(static_cast<std::byte>(number_of(each)));
        return bytes;
    }
    if (is_list(place)) {
        std::string text;
        for (const MessageValue& each : value.list())
            text += (text.empty() ? "" : ",") + number_text(number_of(each));
        return text;
    }
    if (const auto* text = std::get_if<std::string>(&value.held)) return *text;
    return number_of(value);
}

}  // namespace caribou::negotiation
