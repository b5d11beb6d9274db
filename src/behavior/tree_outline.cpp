#include <fmt/format.h>

#include "behavior/plan_text.hpp"
#include "behavior/tree_picture.hpp"
#include "behavior/tree_rows.hpp"

namespace caribou::behavior {

std::string outline_of(const TreePlan& plan, const ClassRegistry& classes) {
    std::string text;
    std::vector<std::string> margins{""};  ///< by depth: the text before the branch
    for (const TreeRow& row : rows_of(plan, classes)) {
        const TreeEntry& entry = plan.entries[row.entry];
        margins.resize(row.depth + 1);
        if (row.depth > 0) {
            text += margins[row.depth] + (row.is_last ? "└─ " : "├─ ");
            margins.push_back(margins[row.depth] + (row.is_last ? "   " : "│  "));
        } else {
            margins.push_back("");
        }
        if (!row.place.empty()) text += fmt::format("[{}] ", row.place);
        // The id of an anonymous entry ends with its class.
        text += entry.is_anonymous() ? entry.class_name : fmt::format("{} ({})", entry.id, entry.class_name);
        if (row.is_again)
            text += ", see above";
        else
            for (const std::string& detail : describe_entry(entry, classes)) text += "; " + detail;
        text += "\n";
    }
    return text;
}

}  // namespace caribou::behavior
