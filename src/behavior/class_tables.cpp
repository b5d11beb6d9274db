#include "behavior/class_tables.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "behavior/entry_parameters.hpp"
#include "loop/duration_text.hpp"

namespace caribou::behavior {
namespace {

std::string fallback_text(const Parameter& parameter) {
    if (parameter.required) return "**required**";
    if (!parameter.fallback) return "";
    const ParameterValue& value = *parameter.fallback;
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    if (const auto* text = std::get_if<std::string>(&value)) return "`" + *text + "`";
    if (const auto* duration = std::get_if<Duration>(&value)) return duration_text(*duration);
    return "";
}

std::string rows(std::span<const Parameter> parameters, const std::string& before) {
    std::string text;
    for (const Parameter& parameter : parameters) {
        text += fmt::format("| {}`{}` | {} | {} | {} |\n", before, parameter.name, describe(parameter),
                            fallback_text(parameter), parameter.about);
        text += rows(parameter.fields, before + "`" + parameter.name + "` › ");
    }
    return text;
}

std::string table(std::span<const Parameter> parameters, std::string_view head) {
    if (parameters.empty()) return "";
    return fmt::format("\n| {} | takes | if left out | meaning |\n|---|---|---|---|\n{}", head,
                       rows(parameters, ""));
}

std::string children_text(const BehaviorClass& its_class) {
    if (its_class.max_children == 0) return "No children.";
    if (its_class.max_children == SIZE_MAX) return fmt::format("At least {} child.", its_class.min_children);
    if (its_class.min_children == its_class.max_children)
        return fmt::format("{} {}.", its_class.min_children,
                           its_class.min_children == 1 ? "child" : "children");
    return fmt::format("{} to {} children.", its_class.min_children, its_class.max_children);
}

template <class Class>
std::string part_tables(const ClassRegistry::Classes<Class>& classes) {
    std::string text;
    for (const auto& [name, part_class] : classes)
        text +=
            fmt::format("\n#### {}\n{}.\n{}", name, part_class.about, table(part_class.parameters, "key"));
    return text;
}

std::string fact_table(const FactDeclarations& facts) {
    if (facts.empty()) return "";
    std::string text = "\n### Facts\n\n| fact | is | meaning |\n|---|---|---|\n";
    for (const auto& [name, fact] : facts)
        text += fmt::format("| `{}`{} | {} | {} |\n", name, fact.is_family() ? "…" : "",
                            fact.is_family() ? "any value" : describe(fact), fact.about);
    return text;
}

std::string sensor_mode_table(const ClassRegistry& classes) {
    if (classes.sensor_modes().empty()) return "";
    std::string text = "\n### Sensor modes\n\n| mode | meaning |\n|---|---|\n";
    for (const auto& [name, mode] : classes.sensor_modes())
        text += fmt::format("| `{}` | {} |\n", name, mode.about);
    return text;
}

}  // namespace

std::string class_tables(const ClassRegistry& classes) {
    std::string text = "### Every behavior\n" + table(entry_parameters(), "key") + "\n### Behaviors\n";
    for (const auto& [name, its_class] : classes.behaviors())
        text += fmt::format("\n#### {}\n{}. {}\n{}{}", name, its_class.about, children_text(its_class),
                            table(its_class.parameters, "key"),
                            table(its_class.child_parameters, "key of a child's place"));
    text += "\n### Conditions\n" + part_tables(classes.conditions());
    return text + "\n### Actions\n" + part_tables(classes.actions()) + fact_table(classes.facts()) +
           sensor_mode_table(classes);
}

}  // namespace caribou::behavior
