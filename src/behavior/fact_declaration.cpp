#include "behavior/fact_declaration.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace caribou::behavior {

using Type = FactDeclaration::Type;

namespace {

std::optional<double> number_from(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc{} && end == text.data() + text.size();
    return is_whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string_view to_string(Type type) {
    switch (type) {
        case Type::flag: return "bool";
        case Type::number: return "number";
        case Type::text: return "text";
    }
    return "unknown";
}

std::optional<Type> fact_type_from(std::string_view word) {
    for (const Type type : {Type::flag, Type::number, Type::text})
        if (to_string(type) == word) return type;
    return std::nullopt;
}

Type type_of(const Value& value) {
    if (std::holds_alternative<bool>(value)) return Type::flag;
    return std::holds_alternative<double>(value) ? Type::number : Type::text;
}

bool fits(const FactDeclaration& fact, const Value& value) {
    if (fact.is_family()) return true;
    if (type_of(value) != fact.type) return false;
    const double* number = std::get_if<double>(&value);
    return !number || (*number >= fact.min && *number <= fact.max);
}

std::string describe(const FactDeclaration& fact) {
    switch (fact.type) {
        case Type::flag: return "true or false";
        case Type::text: return "a text";
        case Type::number: break;
    }
    std::string text = "a number";
    const bool low = fact.min > -FactDeclaration::unbounded;
    const bool high = fact.max < FactDeclaration::unbounded;
    if (low && high)
        text += fmt::format(" from {} to {}", fact.min, fact.max);
    else if (low)
        text += fmt::format(" from {} on", fact.min);
    else if (high)
        text += fmt::format(" up to {}", fact.max);
    return fact.unit.empty() ? text : text + " (" + fact.unit + ")";
}

const FactDeclaration* find_fact(const FactDeclarations& facts, std::string_view name) {
    if (const auto found = facts.find(name); found != facts.end() && !found->second.is_family())
        return &found->second;
    const FactDeclaration* family = find_family(facts, name);
    const bool is_member = family && (!family->members ||
                                      std::ranges::find(*family->members, name.substr(family->name.size())) !=
                                          family->members->end());
    return is_member ? family : nullptr;
}

const FactDeclaration* find_family(const FactDeclarations& facts, std::string_view name) {
    const auto colon = name.find(':');
    if (colon == std::string_view::npos || colon + 1 == name.size()) return nullptr;
    const auto family = facts.find(name.substr(0, colon + 1));
    return family == facts.end() ? nullptr : &family->second;
}

std::vector<std::string> names_of(const FactDeclarations& facts) {
    std::vector<std::string> names;
    for (const auto& [name, fact] : facts) {
        if (!fact.members)
            names.push_back(name);
        else
            for (const std::string& member : *fact.members) names.push_back(name + member);
    }
    return names;
}

Result<Value> value_from(const FactDeclaration& fact, std::string_view text) {
    const auto number = number_from(text);
    Value value = std::string(text);
    if ((fact.is_family() || fact.type == Type::flag) && (text == "true" || text == "false"))
        value = text == "true";
    else if ((fact.is_family() || fact.type == Type::number) && number)
        value = *number;
    if (fits(fact, value)) return value;
    return fail(Code::invalid_argument, fmt::format("`{}` is {}, not {}", fact.name, describe(fact), text));
}

void set_fallbacks(const FactDeclarations& declared, Facts& facts) {
    for (const auto& [name, fact] : declared)
        if (fact.fallback && !facts.find(name)) facts.set(name, *fact.fallback);
}

}  // namespace caribou::behavior
