#include <fmt/format.h>

#include "behavior/plan_text.hpp"
#include "behavior/tree_picture.hpp"
#include "behavior/tree_rows.hpp"

namespace caribou::behavior {
namespace {

std::string escaped_for_dot(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

}  // namespace

std::string dot_of(const TreePlan& plan, const ClassRegistry& classes) {
    std::string text =
        "digraph tree {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < plan.entries.size(); ++i) {
        const TreeEntry& entry = plan.entries[i];
        std::string label = escaped_for_dot(entry.is_anonymous() ? entry.class_name
                                                                 : entry.id + " (" + entry.class_name + ")");
        for (const std::string& detail : describe_entry(entry, classes))
            label += "\\l" + escaped_for_dot(detail);
        text += fmt::format("  b{} [label=\"{}\\l\"{}];\n", i, label, i == plan.base ? ", penwidth=2" : "");
    }
    for (std::size_t i = 0; i < plan.entries.size(); ++i)
        for (const ChildPlan& child : plan.entries[i].children)
            text += fmt::format("  b{} -> b{} [label=\"{}\"];\n", i, child.entry,
                                escaped_for_dot(describe_place(plan.entries[i], child, classes)));
    return text + "}\n";
}

}  // namespace caribou::behavior
