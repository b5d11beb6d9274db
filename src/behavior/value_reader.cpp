#include "behavior/value_reader.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "loop/duration_text.hpp"

namespace caribou::behavior {
namespace {

using JsonKind = JsonNode::Kind;
using Kind = Parameter::Kind;

const Parameter* find_parameter(const ObjectShape& shape, std::string_view key) {
    const auto found = std::ranges::find(shape.parameters, key, &Parameter::name);
    return found == shape.parameters.end() ? nullptr : *found;
}

bool is_one_of(std::string_view word, const std::vector<std::string>& words) {
    return std::ranges::find(words, word) != words.end();
}

std::string shown(std::string_view text) {
    constexpr std::size_t enough = 40;
    return text.size() <= enough ? std::string(text) : std::string(text.substr(0, enough)) + "…";
}

}  // namespace

ParameterValues ValueReader::read_object(FileNode object, const ObjectShape& shape) {
    ParameterValues values;
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < object.node.items.size(); ++i) {
        const FileNode item = object.item(i);
        const std::string& key = item.node.key;
        if (!seen.insert(key).second) {
            faults_.add(item.key_place(), fmt::format("the key `{}` is set twice", shown(key)));
            continue;
        }
        if (is_one_of(key, shape.other_keys)) continue;
        const Parameter* parameter = find_parameter(shape, key);
        if (!parameter)
            report_unknown_key(item, shape);
        else if (auto value = read_value(item, *parameter))
            values.emplace(key, std::move(*value));
    }
    for (const Parameter* parameter : shape.parameters)
        if (parameter->required && !seen.contains(parameter->name))
            faults_.add(object.place(),
                        fmt::format("{} needs `{}`: {}", shape.owner, parameter->name, describe(*parameter)));
    check_facts(object, shape, values);
    return values;
}

void ValueReader::report_unknown_key(FileNode item, const ObjectShape& shape) {
    if (shape.takes_anything) return;
    const std::string& key = item.node.key;
    if (is_one_of(key, shape.elsewhere_keys)) {
        faults_.add(item.key_place(), fmt::format("`{}` is not allowed here: {}", key, shape.elsewhere));
        return;
    }
    std::vector<std::string> known = shape.other_keys;
    for (const Parameter* parameter : shape.parameters) known.push_back(parameter->name);
    faults_.add(item.key_place(),
                fmt::format("{} has no `{}`{}", shape.owner, shown(key), instead_of(key, known)));
}

std::optional<ParameterValue> ValueReader::read_value(FileNode node, const Parameter& parameter) {
    switch (parameter.kind) {
        case Kind::flag:
            return node.node.is(JsonKind::truth) ? std::optional<ParameterValue>(node.node.truth)
                                                 : mismatch(node, parameter);
        case Kind::number:
        case Kind::count: return read_number(node, parameter);
        case Kind::text:
            return node.node.is(JsonKind::text) && !node.node.text.empty()
                       ? std::optional<ParameterValue>(node.node.text)
                       : mismatch(node, parameter);
        case Kind::word: return read_word(node, parameter);
        case Kind::duration: return read_duration(node, parameter);
        case Kind::fact: return read_fact(node, parameter);
        case Kind::expression: return read_expression(node, parameter);
        case Kind::texts: return read_texts(node, parameter);
        case Kind::value: return read_scalar(node, parameter);
        case Kind::records: return read_records(node, parameter);
        case Kind::condition:
        case Kind::conditions:
        case Kind::action:
        case Kind::actions: return read_parts(node, parameter);
    }
    return std::nullopt;
}

std::nullopt_t ValueReader::mismatch(FileNode node, const Parameter& parameter) {
    const bool is_empty = node.node.is(JsonKind::text) && node.node.text.empty();
    faults_.add(node.place(), fmt::format("`{}` takes {}, not {}", parameter.name, describe(parameter),
                                          is_empty ? "an empty text" : name_of(node.node.kind)));
    return std::nullopt;
}

std::optional<ParameterValue> ValueReader::read_number(FileNode node, const Parameter& parameter) {
    if (!node.node.is(JsonKind::number)) return mismatch(node, parameter);
    const double number = node.node.number;
    const bool is_whole = std::trunc(number) == number;
    if (number >= parameter.min && number <= parameter.max && (is_whole || parameter.kind == Kind::number))
        return number;
    faults_.add(node.place(),
                fmt::format("`{}` takes {}, not {}", parameter.name, describe(parameter), number));
    return std::nullopt;
}

std::optional<ParameterValue> ValueReader::read_word(FileNode node, const Parameter& parameter) {
    if (!node.node.is(JsonKind::text)) return mismatch(node, parameter);
    if (is_one_of(node.node.text, parameter.words)) return node.node.text;
    faults_.add(node.place(), fmt::format("`{}` cannot be `{}`{}", parameter.name, shown(node.node.text),
                                          instead_of(node.node.text, parameter.words)));
    return std::nullopt;
}

std::optional<ParameterValue> ValueReader::read_duration(FileNode node, const Parameter& parameter) {
    if (!node.node.is(JsonKind::text)) return mismatch(node, parameter);
    const std::string& text = node.node.text;
    if (is_one_of(text, parameter.words)) return text;
    const auto duration = duration_from(text);
    if (duration && to_seconds(*duration) >= parameter.min && to_seconds(*duration) <= parameter.max)
        return *duration;
    faults_.add(node.place(),
                fmt::format("`{}` takes {}, not `{}`", parameter.name, describe(parameter), shown(text)));
    return std::nullopt;
}

std::optional<ParameterValue> ValueReader::read_texts(FileNode node, const Parameter& parameter) {
    if (!node.node.is(JsonKind::list)) return mismatch(node, parameter);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < node.node.items.size(); ++i) {
        const FileNode item = node.item(i);
        if (!item.node.is(JsonKind::text) || item.node.text.empty())
            mismatch(item, {.name = parameter.name, .kind = Kind::text});
        else
            texts.push_back(item.node.text);
    }
    return texts;
}

std::optional<ParameterValue> ValueReader::read_scalar(FileNode node, const Parameter& parameter) {
    switch (node.node.kind) {
        case JsonKind::truth: return node.node.truth;
        case JsonKind::number: return node.node.number;
        case JsonKind::text: return node.node.text;
        default: return mismatch(node, parameter);
    }
}

std::optional<ParameterValue> ValueReader::read_records(FileNode node, const Parameter& parameter) {
    if (!node.node.is(JsonKind::list)) return mismatch(node, parameter);
    ObjectShape shape{.owner = fmt::format("each of `{}`", parameter.name)};
    for (const Parameter& field : parameter.fields) shape.parameters.push_back(&field);
    std::vector<PartPlan> records;
    for (std::size_t i = 0; i < node.node.items.size(); ++i) {
        const FileNode item = node.item(i);
        if (item.node.is(JsonKind::object))
            records.push_back({"", read_object(item, shape)});
        else
            faults_.add(item.place(),
                        fmt::format("{} is an object, not {}", shape.owner, name_of(item.node.kind)));
    }
    return records;
}

std::optional<ParameterValue> ValueReader::read_parts(FileNode node, const Parameter& parameter) {
    const bool is_condition = parameter.kind == Kind::condition || parameter.kind == Kind::conditions;
    const bool takes_several = parameter.kind == Kind::conditions || parameter.kind == Kind::actions;
    const auto read = [&](FileNode from) { return is_condition ? read_condition(from) : read_action(from); };
    std::vector<PartPlan> parts;
    if (!takes_several || !node.node.is(JsonKind::list)) {
        auto part = read(node);
        if (!part) return std::nullopt;
        parts.push_back(std::move(*part));
        return parts;
    }
    for (std::size_t i = 0; i < node.node.items.size(); ++i)
        if (auto part = read(node.item(i))) parts.push_back(std::move(*part));
    return parts;
}

}  // namespace caribou::behavior
