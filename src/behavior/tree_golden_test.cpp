// The golden files of docs/formats/behavior-tree.md.

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "behavior/engine_classes.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/tree_writer.hpp"

namespace caribou::behavior {
namespace {

TreeText golden(const std::string& name) {
    std::ifstream file(tests::in_repository("tests/golden/behavior/") + name);
    EXPECT_TRUE(file.good()) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return {name, text.str()};
}

std::expected<LoadedTree, std::vector<TreeFault>> load_golden(const TreeText& file) {
    ClassRegistry classes;
    FactChanges changes;
    register_engine_classes(classes);
    register_fact_actions(classes, changes);
    return load_tree(std::vector<TreeText>{file}, classes);
}

TEST(TreeGolden, EveryClassIsReadAndWrittenAsEver) {
    const auto loaded = load_golden(golden("every_class.json"));
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    EXPECT_EQ(write_tree(loaded->plan), golden("every_class.written.json").text);
    const auto again = load_golden(golden("every_class.written.json"));
    ASSERT_TRUE(again.has_value()) << to_string(again.error());
    EXPECT_EQ(again->plan, loaded->plan);
}

TEST(TreeGolden, FaultsAreToldAsEver) {
    const auto loaded = load_golden(golden("faults.json"));
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(to_string(loaded.error()), golden("faults.txt").text);
}

}  // namespace
}  // namespace caribou::behavior
