#include "behavior/tree_plan.hpp"

#include <algorithm>

namespace caribou::behavior {

bool refers_to(const ParameterValues& values, std::string_view part, std::string_view fact) {
    return std::ranges::any_of(values, [&](const auto& value) {
        // Expressions contain the name.
        if (const auto* text = std::get_if<std::string>(&value.second))
            return !fact.empty() && text->contains(fact);
        const auto* parts = std::get_if<std::vector<PartPlan>>(&value.second);
        return parts && std::ranges::any_of(*parts, [&](const PartPlan& each) {
                   return each.class_name == part || refers_to(each.values, part, fact);
               });
    });
}

bool refers_to(const TreePlan& plan, std::string_view part, std::string_view fact) {
    return std::ranges::any_of(plan.entries, [&](const TreeEntry& entry) {
        const auto placed = [&](const ChildPlan& child) { return refers_to(child.values, part, fact); };
        return refers_to(entry.values, part, fact) || std::ranges::any_of(entry.children, placed);
    });
}

}  // namespace caribou::behavior
