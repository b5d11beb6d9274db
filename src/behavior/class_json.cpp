#include "behavior/class_json.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/json_writer.hpp"
#include "behavior/entry_parameters.hpp"
#include "loop/duration_text.hpp"

namespace caribou::behavior {
namespace {

std::string_view kind_name(Parameter::Kind kind) {
    using Kind = Parameter::Kind;
    switch (kind) {
        case Kind::flag: return "flag";
        case Kind::number: return "number";
        case Kind::count: return "count";
        case Kind::text: return "text";
        case Kind::word: return "word";
        case Kind::duration: return "duration";
        case Kind::fact: return "fact";
        case Kind::texts: return "texts";
        case Kind::value: return "value";
        case Kind::expression: return "expression";
        case Kind::condition: return "condition";
        case Kind::conditions: return "conditions";
        case Kind::action: return "action";
        case Kind::actions: return "actions";
        case Kind::records: return "records";
    }
    return "";
}

void write_value(JsonWriter& to, const Value& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return to.truth(*flag);
    if (const auto* number = std::get_if<double>(&value)) return to.number(*number);
    to.text(std::get<std::string>(value));
}

void write_fallback(JsonWriter& to, const ParameterValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return to.member("default", *flag);
    if (const auto* number = std::get_if<double>(&value)) return to.member("default", *number);
    if (const auto* text = std::get_if<std::string>(&value)) return to.member("default", *text);
    if (const auto* time = std::get_if<Duration>(&value)) return to.member("default", duration_text(*time));
}

void write_texts(JsonWriter& to, std::string_view name, std::span<const std::string> texts) {
    if (texts.empty()) return;
    to.key(name);
    to.begin_list();
    for (const std::string& text : texts) to.text(text);
    to.end_list();
}

void write_range(JsonWriter& to, double min, double max) {
    if (std::isfinite(min)) to.member("min", min);
    if (std::isfinite(max)) to.member("max", max);
}

void write_parameters(JsonWriter& to, std::string_view name, std::span<const Parameter> parameters) {
    to.key(name);
    to.begin_list();
    for (const Parameter& parameter : parameters) {
        to.begin_object();
        to.member("name", parameter.name);
        to.member("kind", std::string(kind_name(parameter.kind)));
        to.member("takes", describe(parameter));
        to.member("about", parameter.about);
        to.member("required", parameter.required);
        if (parameter.fallback) write_fallback(to, *parameter.fallback);
        write_range(to, parameter.min, parameter.max);
        write_texts(to, "words", parameter.words);
        if (!parameter.fields.empty()) write_parameters(to, "fields", parameter.fields);
        to.end_object();
    }
    to.end_list();
}

template <class Class>
void write_parts(JsonWriter& to, std::string_view name, const ClassRegistry::Classes<Class>& classes) {
    to.key(name);
    to.begin_list();
    for (const auto& [class_name, part_class] : classes) {
        to.begin_object();
        to.member("name", class_name);
        to.member("about", part_class.about);
        to.member("as_text", main_parameter(class_name, part_class.parameters) == nullptr);
        write_parameters(to, "parameters", part_class.parameters);
        to.end_object();
    }
    to.end_list();
}

void write_behaviors(JsonWriter& to, const ClassRegistry& classes) {
    to.key("behaviors");
    to.begin_list();
    for (const auto& [name, its_class] : classes.behaviors()) {
        to.begin_object();
        to.member("name", name);
        to.member("about", its_class.about);
        to.member("min_children", its_class.min_children);
        if (its_class.max_children != SIZE_MAX) to.member("max_children", its_class.max_children);
        to.member("ends_by_itself", its_class.ends_by_itself);
        write_texts(to, "ensures", its_class.ensures);
        write_texts(to, "needs_ensured", its_class.needs_ensured);
        write_parameters(to, "parameters", its_class.parameters);
        write_parameters(to, "child_parameters", its_class.child_parameters);
        to.end_object();
    }
    to.end_list();
}

void write_facts(JsonWriter& to, const FactDeclarations& facts) {
    to.key("facts");
    to.begin_list();
    for (const auto& [name, fact] : facts) {
        to.begin_object();
        to.member("name", name);
        to.member("about", fact.about);
        if (fact.is_family())
            to.member("family", true);
        else
            to.member("type", std::string(to_string(fact.type)));
        if (!fact.unit.empty()) to.member("unit", fact.unit);
        write_range(to, fact.min, fact.max);
        if (fact.fallback) {
            to.key("default");
            write_value(to, *fact.fallback);
        }
        to.member("settable", fact.is_settable);
        to.end_object();
    }
    to.end_list();
}

template <class Word>
void write_words(JsonWriter& to, std::string_view name, const ClassRegistry::Classes<Word>& words) {
    to.key(name);
    to.begin_list();
    for (const auto& [word, about] : words) {
        to.begin_object();
        to.member("name", word);
        to.member("about", about.about);
        to.end_object();
    }
    to.end_list();
}

}  // namespace

std::string class_json(const ClassRegistry& classes) {
    JsonWriter to;
    to.begin_object();
    to.member("version", 1);
    write_parameters(to, "every_behavior", entry_parameters());
    write_behaviors(to, classes);
    write_parts(to, "conditions", classes.conditions());
    write_parts(to, "actions", classes.actions());
    write_facts(to, classes.facts());
    write_words(to, "requirements", classes.requirements());
    write_words(to, "sensor_modes", classes.sensor_modes());
    to.end_object();
    return std::move(to).take();
}

}  // namespace caribou::behavior
