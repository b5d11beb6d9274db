#include "behavior/tree_loader.hpp"

#include <utility>

#include <fmt/format.h>

#include "behavior/tree_builder.hpp"
#include "behavior/tree_check.hpp"
#include "behavior/tree_doubts.hpp"
#include "behavior/tree_reader.hpp"

namespace caribou::behavior {
namespace {

void report(const TreeGraph& graph, const ReadTree& read, FaultList& faults) {
    for (TreeFinding& finding : check_tree(graph))
        faults.add(read.places[finding.node], std::move(finding.message));
}

/// Checks a plan from files with errors, if that is meaningful: without a base, or with children missing,
/// many entries would be reported as unreachable by mistake.
void check_what_there_is(const ReadTree& read, const ClassRegistry& classes, FaultList& faults) {
    if (read.has_base && read.has_all_children) report(graph_of(read.plan, classes), read, faults);
}

std::vector<TreeFault> warnings_about(std::span<const TreeText> files, const ReadTree& read,
                                      const ClassRegistry& classes, const TreeLimits& limits) {
    FaultList warnings(files, limits.faults);
    for (const auto& [name, place] : read.unused_conditions)
        warnings.add(place, fmt::format("warning: the condition `{}` is not used; remove it, or name it in "
                                        "`wants` or `cancel`",
                                        name));
    for (const auto& [name, place] : read.unused_subtrees)
        warnings.add(place, fmt::format("warning: the subtree `{}` is not used", name));
    for (const auto& [entry, message] : find_doubts(read.plan, classes))
        warnings.add(read.places[entry], "warning: " + message);
    return warnings.take();
}

}  // namespace

std::expected<LoadedTree, std::vector<TreeFault>> load_tree(std::span<const TreeText> files,
                                                            const ClassRegistry& classes,
                                                            const TreeLimits& limits) {
    if (files.empty())
        return std::unexpected(std::vector<TreeFault>{{"", 1, 1, "a tree needs at least one file"}});
    FaultList faults(files, limits.faults);
    ReadTree read = TreeReader(files, classes, limits, faults).read();
    if (!faults.empty()) {
        check_what_there_is(read, classes, faults);
        return std::unexpected(faults.take());
    }
    TreeBuilder builder(read.plan, classes);
    LoadedTree loaded{builder.build(), read.plan.entries[read.plan.base].id, {}, {}};
    for (auto& [entry, message] : builder.take_failures()) faults.add(read.places[entry], std::move(message));
    if (faults.empty()) report(graph_of(*loaded.tree, read.plan.base), read, faults);
    if (!faults.empty()) return std::unexpected(faults.take());
    loaded.warnings = warnings_about(files, read, classes, limits);
    loaded.plan = std::move(read.plan);
    return loaded;
}

Result<std::unique_ptr<BehaviorTree>> build_tree(const TreePlan& plan, const ClassRegistry& classes) {
    TreeBuilder builder(plan, classes);
    auto tree = builder.build();
    const auto failures = builder.take_failures();
    if (failures.empty()) return tree;
    return fail(Code::refused, plan.entries[failures.front().node].id + ": " + failures.front().message);
}

}  // namespace caribou::behavior
