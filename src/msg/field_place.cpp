#include <charconv>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "msg/message_value.hpp"

namespace caribou::msg {
namespace {

/// One element of a path: `ranges[3]` is parsed as `ranges` and 3.
struct Step {
    std::string_view name;
    std::optional<std::size_t> index;
};

std::optional<Step> parse_step(std::string_view text) {
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos) return Step{text, {}};
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(text.data() + open + 1, text.data() + text.size(), index);
    if (error != std::errc() || std::string_view(end, text.data() + text.size()) != "]") return {};
    return Step{text.substr(0, open), index};
}

std::string no_field(const MessageSchema& schema, std::string_view name) {
    std::vector<std::string> names;
    for (const FieldSchema& field : schema.fields) names.emplace_back(field.name);
    return fmt::format("{} has no field `{}`{}", schema.type_name, name, instead_of(name, names));
}

/// Returns whether the index is beyond the maximum size of the field's array.
bool is_beyond(const FieldSchema& field, std::size_t index) {
    constexpr std::size_t most = 4096;  // limit to which a path may extend an unbounded sequence
    return index >= (field.array == ArrayKind::unbounded ? most : field.size);
}

}  // namespace

Result<FieldPlace> find_field(const MessageSchema& schema, std::string_view path) {
    FieldPlace place;
    const MessageSchema* inside = &schema;
    for (std::string_view rest = path; inside != nullptr; inside = place.field->message) {
        const std::size_t dot = rest.find('.');
        const auto step = parse_step(rest.substr(0, dot));
        if (!step)
            return fail(
                Code::invalid_argument,
                fmt::format("`{}` is not a field; expected `name` or `name[0]`", rest.substr(0, dot)));
        place.field = nullptr;
        for (std::size_t i = 0; i < inside->fields.size(); ++i) {
            if (inside->fields[i].name != step->name) continue;
            place.field = &inside->fields[i];
            place.steps.push_back(i);
        }
        if (place.field == nullptr) return fail(Code::not_found, no_field(*inside, step->name));
        place.is_element = step->index.has_value();
        if (step->index) {
            if (place.field->array == ArrayKind::none || is_beyond(*place.field, *step->index))
                return fail(Code::invalid_argument,
                            fmt::format("`{}` has no element {}", step->name, *step->index));
            place.steps.push_back(*step->index);
        }
        if (dot == std::string_view::npos) return place;
        if (place.field->array != ArrayKind::none && !place.is_element)
            return fail(Code::invalid_argument,
                        fmt::format("`{0}` is an array: write `{0}[0]` and so on", step->name));
        rest.remove_prefix(dot + 1);
    }
    return fail(Code::not_found, fmt::format("`{}` has no fields inside", place.field->name));
}

const MessageValue* at(const MessageValue& value, const FieldPlace& place) {
    const MessageValue* here = &value;
    for (const std::size_t step : place.steps) {
        if (step >= here->list().size()) return nullptr;
        here = &here->list()[step];
    }
    return here;
}

MessageValue* reach(const MessageSchema& schema, MessageValue& value, const FieldPlace& place) {
    MessageValue* here = &value;
    const MessageSchema* inside = &schema;
    for (std::size_t i = 0; i < place.steps.size(); ++i) {
        const FieldSchema& field = inside->fields[place.steps[i]];
        here = &here->list()[place.steps[i]];
        inside = field.message;
        if (field.array == ArrayKind::none || i + 1 == place.steps.size()) continue;
        const std::size_t index = place.steps[++i];
        if (index >= here->list().size()) here->list().resize(index + 1, initial_element(field));
        here = &here->list()[index];
    }
    return here;
}

}  // namespace caribou::msg
