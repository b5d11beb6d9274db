#include "behavior/plan_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "behavior/entry_parameters.hpp"
#include "loop/duration_text.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
    return fmt::format("{}", fmt::join(texts, between));
}

class Describer {
public:
    explicit Describer(const ClassRegistry& classes) : classes_(classes) {}

    std::vector<std::string> values(const ParameterValues& values,
                                    std::span<const Parameter> parameters) const {
        std::vector<std::string> texts;
        for (const Parameter& parameter : parameters) {
            const auto found = values.find(parameter.name);
            if (found == values.end()) continue;
            const bool* flag = std::get_if<bool>(&found->second);
            if (flag && parameter.kind == Kind::flag)
                texts.push_back((*flag ? "" : "not ") + parameter.name);
            else
                texts.push_back(parameter.name + " " + value(found->second, parameter));
        }
        return texts;
    }

private:
    std::string value(const ParameterValue& given, const Parameter& parameter) const {
        if (const auto* truth = std::get_if<bool>(&given)) return *truth ? "true" : "false";
        if (const auto* number = std::get_if<double>(&given)) return fmt::format("{}", *number);
        if (const auto* text = std::get_if<std::string>(&given)) return *text;
        if (const auto* duration = std::get_if<Duration>(&given)) return duration_text(*duration);
        if (const auto* texts = std::get_if<std::vector<std::string>>(&given)) return joined(*texts, ", ");
        std::vector<std::string> texts;
        for (const PartPlan& plan : std::get<std::vector<PartPlan>>(given))
            texts.push_back(part(plan, parameter));
        return joined(texts, parameter.kind == Kind::conditions ? " and " : ", ");
    }

    std::string part(const PartPlan& plan, const Parameter& parameter) const {
        if (parameter.kind == Kind::records) return joined(values(plan.values, parameter.fields), " ");
        if (parameter.kind == Kind::condition || parameter.kind == Kind::conditions)
            return classes_.make_condition(plan)->describe();
        const auto& parameters = classes_.actions().at(plan.class_name).parameters;
        const std::string text = joined(values(plan.values, parameters), " ");
        return text.empty() ? plan.class_name : text;
    }

    const ClassRegistry& classes_;
};

}  // namespace

std::vector<std::string> describe_entry(const TreeEntry& entry, const ClassRegistry& classes) {
    std::vector<Parameter> parameters = classes.behaviors().at(entry.class_name).parameters;
    std::ranges::copy(entry_parameters(), std::back_inserter(parameters));
    return Describer(classes).values(entry.values, parameters);
}

std::string describe_place(const TreeEntry& parent, const ChildPlan& child, const ClassRegistry& classes) {
    const auto& parameters = classes.behaviors().at(parent.class_name).child_parameters;
    return joined(Describer(classes).values(child.values, parameters), ", ");
}

}  // namespace caribou::behavior
