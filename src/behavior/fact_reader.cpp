// The part of ValueReader that reads the declarations of facts, and checks how facts are used.

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "behavior/value_reader.hpp"

namespace caribou::behavior {
namespace {

/// Returns a value as an error message names it: a text is told from the number that it contains.
std::string found_text(const Value& value) {
    const auto* const text = std::get_if<std::string>(&value);
    return text ? fmt::format("the text `{}`", *text) : to_string(value);
}

using JsonKind = JsonNode::Kind;
using Kind = Parameter::Kind;

/// Returns the keys of a declaration.
std::vector<Parameter> declaration_parameters() {
    return {{.name = "type", .kind = Kind::word, .words = {"bool", "number", "text"}},
            {.name = "default", .kind = Kind::value},
            {.name = "unit", .kind = Kind::text},
            {.name = "min", .kind = Kind::number},
            {.name = "max", .kind = Kind::number},
            {.name = "keep", .kind = Kind::flag},
            {.name = "about", .kind = Kind::text}};
}

std::optional<Value> value_from(const ParameterValues& values, std::string_view name) {
    if (const auto* truth = given<bool>(values, name)) return *truth;
    if (const auto* number = given<double>(values, name)) return *number;
    if (const auto* text = given<std::string>(values, name)) return *text;
    return std::nullopt;
}

std::vector<std::string> names_of(const FactDeclarations& own, const FactDeclarations& others) {
    std::vector<std::string> names = names_of(own);
    for (std::string& name : names_of(others)) names.push_back(std::move(name));
    return names;
}

}  // namespace

void ValueReader::define_facts(FileNode facts) {
    if (!facts.node.is(JsonKind::object)) {
        faults_.add(facts.place(),
                    fmt::format("`facts` is an object with a declaration for each name, not {}",
                                name_of(facts.node.kind)));
        return;
    }
    for (std::size_t i = 0; i < facts.node.items.size(); ++i) define_fact(facts.item(i));
}

void ValueReader::define_fact(FileNode item) {
    const std::string& name = item.node.key;
    if (name.empty() || name.contains(':')) {
        faults_.add(item.key_place(),
                    fmt::format("`{}` is not a name of a fact; expected a text without `:`", name));
        return;
    }
    if (classes_.facts().contains(name)) {
        faults_.add(item.key_place(),
                    fmt::format("`{}` is a fact of the robot; expected another name", name));
        return;
    }
    std::optional<FactDeclaration> declared = read_declaration(item);
    if (!declared) return;
    if (const auto [known, is_new] = facts_.try_emplace(name, std::move(*declared)); !is_new)
        faults_.add(item.key_place(), fmt::format("the fact `{}` is declared twice", name));
}

std::optional<FactDeclaration> ValueReader::read_declaration(FileNode item) {
    FactDeclaration fact{.name = item.node.key};
    if (!item.node.is(JsonKind::object)) {
        auto value = read_scalar(item, {.name = item.node.key, .kind = Kind::value});
        if (!value) return std::nullopt;
        fact.fallback = value_from({{"default", std::move(*value)}}, "default");
        fact.type = type_of(*fact.fallback);
        return fact;
    }
    const std::vector<Parameter> parameters = declaration_parameters();
    ObjectShape shape{.owner = fmt::format("the fact `{}`", item.node.key)};
    for (const Parameter& parameter : parameters) shape.parameters.push_back(&parameter);
    const ParameterValues values = read_object(item, shape);
    fact.fallback = value_from(values, "default");
    const auto* type = given<std::string>(values, "type");
    if (!type && !fact.fallback) {
        const bool is_reported = item.node.find("type") || item.node.find("default");
        if (!is_reported)
            faults_.add(item.place(), fmt::format("the fact `{}` needs `type` or `default`", item.node.key));
        return std::nullopt;
    }
    fact.type = type ? fact_type_from(*type).value_or(FactDeclaration::Type::flag) : type_of(*fact.fallback);
    if (const auto* unit = given<std::string>(values, "unit")) fact.unit = *unit;
    if (const auto* about = given<std::string>(values, "about")) fact.about = *about;
    if (const auto* keep = given<bool>(values, "keep")) fact.is_kept = *keep;
    if (const auto* min = given<double>(values, "min")) fact.min = *min;
    if (const auto* max = given<double>(values, "max")) fact.max = *max;
    const bool has_number_keys = values.contains("unit") || values.contains("min") || values.contains("max");
    if (has_number_keys && fact.type != FactDeclaration::Type::number)
        faults_.add(item.place(),
                    fmt::format("the fact `{}` is {}: only a number has `unit`, `min` and `max`", fact.name,
                                describe(fact)));
    else if (fact.min > fact.max)
        faults_.add(item.place(), fmt::format("the fact `{}` has a `min` above its `max`", fact.name));
    else if (fact.fallback && !fits(fact, *fact.fallback))
        faults_.add(item.place(), fmt::format("the `default` of `{}` is {}, not {}", fact.name,
                                              describe(fact), found_text(*fact.fallback)));
    else
        return fact;
    return std::nullopt;
}

const FactDeclaration* ValueReader::find_declared(std::string_view name) const {
    if (const FactDeclaration* own = find_fact(facts_, name)) return own;
    return find_fact(classes_.facts(), name);
}

std::string ValueReader::no_fact(std::string_view name) const {
    const FactDeclaration* family = find_family(classes_.facts(), name);
    const std::string advice =
        family ? fmt::format("it is not {}", family->about) : "declare facts of your own in `facts`";
    return fmt::format("nothing sets the fact `{}`; {}{}", name, advice,
                       instead_of(name, names_of(facts_, classes_.facts())));
}

std::optional<ParameterValue> ValueReader::read_expression(FileNode node, const Parameter& parameter) {
    if (!node.node.is(JsonKind::text) || node.node.text.empty()) return mismatch(node, parameter);
    const auto report = [&](const ExpressionFault& fault) {
        // After the quote. Escapes before it make the column a little too small.
        faults_.add({node.file, node.node.offset + 1 + fault.offset}, fault.message);
        return std::nullopt;
    };
    const auto expression = Expression::parse(node.node.text);
    if (!expression) return report(expression.error());
    const auto type = expression->check(find_type());
    if (!type) return report(type.error());
    if (parameter.of_fact.empty() && *type && **type != FactDeclaration::Type::flag)
        return report({0, fmt::format("`{}` is {}; expected true or false", node.node.text,
                                      describe(FactDeclaration{.type = **type}))});
    return node.node.text;
}

Expression::FindType ValueReader::find_type() const {
    return [this](std::string_view name) -> Result<std::optional<FactDeclaration::Type>> {
        if (classes_.facts().empty()) return std::nullopt;
        const FactDeclaration* declared = find_declared(name);
        if (!declared) return fail(Code::not_found, no_fact(name));
        return declared->is_family() ? std::nullopt : std::optional(declared->type);
    };
}

std::optional<FactDeclaration::Type> ValueReader::type_of_expression(std::string_view text) const {
    const auto expression = Expression::parse(text);
    if (!expression) return std::nullopt;
    const auto type = expression->check(find_type());
    return type ? *type : std::nullopt;
}

std::optional<ParameterValue> ValueReader::read_fact(FileNode node, const Parameter& parameter) {
    if (!node.node.is(JsonKind::text) || node.node.text.empty()) return mismatch(node, parameter);
    const std::string& name = node.node.text;
    if (classes_.facts().empty()) return name;
    const FactDeclaration* declared = find_declared(name);
    if (!declared) {
        faults_.add(node.place(), no_fact(name));
        return std::nullopt;
    }
    const bool changes = parameter.fact_use == FactUse::sets || parameter.fact_use == FactUse::adds;
    const bool needs_number = parameter.fact_use == FactUse::counts || parameter.fact_use == FactUse::adds;
    if (changes && !declared->is_settable)
        faults_.add(
            node.place(),
            fmt::format("`{}` is set by the robot, not by a tree; declare a fact of your own in `facts`",
                        name));
    else if (needs_number && !declared->is_family() && declared->type != FactDeclaration::Type::number)
        faults_.add(node.place(), fmt::format("`{}` is {}; expected a number", name, describe(*declared)));
    else
        return name;
    return std::nullopt;
}

void ValueReader::check_type(const std::string& fact, const FactDeclaration& declared,
                             const std::string& parameter, FileNode object, const ParameterValues& values) {
    const auto* text = given<std::string>(values, parameter);
    const auto type = text ? type_of_expression(*text) : std::nullopt;
    if (!type || declared.is_family() || *type == declared.type) return;
    faults_.add({object.file, object.node.find(parameter)->offset},
                fmt::format("`{}` is {}, and `{}` is {}", fact, describe(declared), *text,
                            describe(FactDeclaration{.type = *type})));
}

void ValueReader::check_facts(FileNode object, const ObjectShape& shape, const ParameterValues& values) {
    if (classes_.facts().empty()) return;
    for (const Parameter* parameter : shape.parameters) {
        const auto* name =
            parameter->kind == Kind::fact ? given<std::string>(values, parameter->name) : nullptr;
        if (!name) continue;
        const FactDeclaration& declared = *find_declared(*name);
        const auto check = [&](const Value& value, Place place) {
            if (!fits(declared, value))
                faults_.add(place,
                            fmt::format("`{}` is {}, not {}", *name, describe(declared), found_text(value)));
        };
        bool is_compared = false;
        for (const Parameter* other : shape.parameters) {
            const JsonNode* node =
                other->of_fact == parameter->name ? object.node.find(other->name) : nullptr;
            is_compared = is_compared || node;
            if (!node) continue;
            if (other->kind == Kind::expression)
                check_type(*name, declared, other->name, object, values);
            else if (const auto value = value_from(values, other->name))
                check(*value, {object.file, node->offset});
        }
        const bool means_true = parameter->fact_use == FactUse::tests || parameter->fact_use == FactUse::sets;
        if (!is_compared && means_true) check(true, object.place());
    }
}

}  // namespace caribou::behavior
