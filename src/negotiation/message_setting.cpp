#include "negotiation/message_setting.hpp"

#include <algorithm>
#include <charconv>
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
        case FieldKind::float32: return range_of<float>();
        default: return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    }
}

std::unexpected<Error> wrong(const FieldPlace& place, std::string_view what) {
    return fail(Code::invalid_argument, fmt::format("`{}` cannot be {}", place.field->name, what));
}

/// From here on, neighboring integers are the same number.
constexpr double max_exact = 0x1p53;

/// Returns whether a number is an integer, apart from the rounding of a conversion of units.
bool is_whole(double number) {
    return std::abs(number - std::round(number)) <= 1e-9 * std::max(1.0, std::abs(number));
}

/// Returns an element of the field, which must be of a numeric type or bool. Fails if `number` would be
/// changed: if it is out of range, or not an integer where one is expected.
Result<MessageValue> element_of(const FieldPlace& place, double number) {
    MessageValue element = msg::initial_element(*place.field);
    const Range range = range_of(place.field->kind);
    if (auto* real = std::get_if<double>(&element.held)) {
        if (std::isfinite(number) && !(number >= range.low && number <= range.high))
            return wrong(place, fmt::format("{}: it does not fit", number));
        *real = number;
        return element;
    }
    if (auto* flag = std::get_if<bool>(&element.held)) {
        if (number != 0 && number != 1) return wrong(place, fmt::format("{}: expected 0 or 1", number));
        *flag = number != 0;
        return element;
    }
    const double whole = std::round(number);
    if (!(whole >= range.low && whole <= range.high))
        return wrong(place, fmt::format("{}: it does not fit", number));
    if (!is_whole(number)) return wrong(place, fmt::format("{}: expected an integer", number));
    if (std::abs(whole) >= max_exact)
        return wrong(place, fmt::format("{}: integers beyond 2^53 are exact as a text only", number));
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

/// Returns an element with exactly the integer that `text` contains, or nullopt if the field or the text is
/// of another kind.
std::optional<MessageValue> exact_integer(const FieldPlace& place, std::string_view text) {
    MessageValue element = msg::initial_element(*place.field);
    const auto read = [&](auto& integer) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
        return error == std::errc() && end == text.data() + text.size();
    };
    const Range range = range_of(place.field->kind);
    const auto fits = [&](auto integer) {
        return static_cast<double>(integer) >= range.low && static_cast<double>(integer) <= range.high;
    };
    if (auto* integer = std::get_if<std::int64_t>(&element.held))
        if (read(*integer) && (place.field->kind == FieldKind::int64 || fits(*integer))) return element;
    if (auto* integer = std::get_if<std::uint64_t>(&element.held))
        if (read(*integer) && (place.field->kind == FieldKind::uint64 || fits(*integer))) return element;
    return {};
}

/// Returns an element of the field with the number that `text` contains.
Result<MessageValue> element_from(const FieldPlace& place, std::string_view text) {
    if (auto exact = exact_integer(place, text)) return std::move(*exact);
    const auto number = number_in(text);
    if (!number) return wrong(place, fmt::format("`{}`: not a number", text));
    return element_of(place, *number);
}

double number_of(const MessageValue& value) {
    if (const auto* flag = std::get_if<bool>(&value.held)) return *flag ? 1 : 0;
    if (const auto* number = std::get_if<std::int64_t>(&value.held)) return static_cast<double>(*number);
    if (const auto* number = std::get_if<std::uint64_t>(&value.held)) return static_cast<double>(*number);
    return std::get<double>(value.held);
}

/// Returns the number as a text, exact also for integers.
std::string text_of_number(const MessageValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value.held)) return std::to_string(*number);
    if (const auto* number = std::get_if<std::uint64_t>(&value.held)) return std::to_string(*number);
    return number_text(number_of(value));
}

}  // namespace

bool is_rotation(const FieldPlace& place) {
    return !is_list(place) && place.field->kind == FieldKind::message &&
           place.field->message->type_name == "geometry_msgs/msg/Quaternion";
}

Result<void> can_be_set(const FieldPlace& place) {
    if (is_rotation(place)) return {};
    if (place.field->kind == FieldKind::message && place.field->message->fields.empty())
        return fail(Code::invalid_argument, fmt::format("`{}` has no fields", place.field->name));
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
        if (text == "true" || text == "false") return set_number(place, into, text == "true" ? 1 : 0);
        if (!is_list(place))
            if (auto exact = exact_integer(place, text)) {
                into = std::move(*exact);
                return {};
            }
        const auto number = number_in(text);
        return number ? set_number(place, into, *number)
                      : wrong(place, fmt::format("`{}`: not a number", text));
    }
    MessageValue::List list;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (!number_in(text.substr(0, comma)))
            return wrong(place, fmt::format("`{}`: write numbers, as in `1,2.5,3`", text.substr(0, comma)));
        auto element = element_from(place, text.substr(0, comma));
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

Result<BusValue> bus_value(const FieldPlace& place, const MessageValue& value) {
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
            text += (text.empty() ? "" : ",") + text_of_number(each);
        return text;
    }
    if (const auto* text = std::get_if<std::string>(&value.held)) return *text;
    if (std::abs(number_of(value)) >= max_exact && !std::holds_alternative<double>(value.held))
        return fail(Code::invalid_argument, fmt::format("`{}` is {}: numbers on the bus are exact up to 2^53",
                                                        place.field->name, text_of_number(value)));
    return number_of(value);
}

}  // namespace caribou::negotiation
