#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/expression_classes.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/tree_picture.hpp"
#include "behavior/tree_writer.hpp"

/// Arbitrary bytes as the files of a tree, separated by NUL. They are rejected with valid locations, or they
/// are a tree that can be written, read again and drawn.
namespace {

using namespace caribou;
using namespace caribou::behavior;

constexpr TreeLimits limits{.json = {.bytes = 64_KiB, .depth = 64, .values = 5000},
                            .entries = 200,
                            .parts = 2000,
                            .part_depth = 50,
                            .faults = 20};

std::vector<TreeText> split(std::string_view input) {
    constexpr std::size_t most = 3;
    std::vector<TreeText> files;
    while (files.size() + 1 < most && input.contains('\0')) {
        files.push_back({"f", std::string(input.substr(0, input.find('\0')))});
        input.remove_prefix(input.find('\0') + 1);
    }
    files.push_back({"f", std::string(input)});
    return files;
}

void check_faults(const std::vector<TreeFault>& faults) {
    check(!faults.empty(), "what is refused has a reason");
    check(faults.size() <= limits.faults + 1, "no more faults are told than the limit says");
    for (const TreeFault& fault : faults)
        check(fault.line > 0 && fault.column > 0 && !fault.message.empty(),
              "a fault has a place and a message");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ClassRegistry classes;
    FactChanges changes;
    register_engine_classes(classes);
    register_fact_actions(classes, changes);
    const Facts facts;
    register_expressions(classes, facts, changes);
    const auto files = split({reinterpret_cast<const char*>(data), size});
    const auto loaded = load_tree(files, classes, limits);
    if (!loaded) {
        check_faults(loaded.error());
        return 0;
    }
    check(loaded->tree->size() == loaded->plan.entries.size(), "each entry is a behavior");
    const auto again = load_tree(std::vector<TreeText>{{"again", write_tree(loaded->plan)}}, classes);
    check(again.has_value(), "what was written can be read");
    check(again->plan == loaded->plan, "what was written reads as the same tree");
    check(!outline_of(loaded->plan, classes).empty(), "a tree has an outline");
    check(svg_of(loaded->plan, classes).ends_with("</svg>\n"), "a tree can be drawn");
    return 0;
}
