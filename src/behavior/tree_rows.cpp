#include "behavior/tree_rows.hpp"

#include "behavior/plan_text.hpp"

namespace caribou::behavior {

std::vector<TreeRow> rows_of(const TreePlan& plan, const ClassRegistry& classes) {
    std::vector<TreeRow> rows;
    std::vector<bool> drawn(plan.entries.size(), false);
    std::vector<TreeRow> next{
        {.entry = plan.base}};  // used as a stack instead of recursion, so that any depth works
    while (!next.empty()) {
        TreeRow row = std::move(next.back());
        next.pop_back();
        row.is_again = drawn[row.entry];
        drawn[row.entry] = true;
        const std::size_t number = rows.size();
        const TreeEntry& entry = plan.entries[row.entry];
        for (std::size_t i = entry.children.size(); i-- > 0 && !row.is_again;)
            next.push_back({.entry = entry.children[i].entry,
                            .parent = number,
                            .depth = row.depth + 1,
                            .is_last = i + 1 == entry.children.size(),
                            .place = describe_place(entry, entry.children[i], classes)});
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace caribou::behavior
