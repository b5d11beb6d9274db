#include "behavior/class_tables.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "behavior/engine_classes.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/wait_until_action.hpp"

namespace caribou::behavior {
namespace {

TEST(ClassTables, AreThoseOfTheFormatsPage) {
    ClassRegistry registry;
    FactChanges changes;
    register_engine_classes(registry);
    register_fact_actions(registry, changes);
    const Facts facts;
    register_wait_until(registry, facts);
    std::ifstream file(tests::in_repository("docs/formats/behavior-tree.md"));
    std::ostringstream page;
    page << file.rdbuf();
    EXPECT_TRUE(page.str().contains(class_tables(registry)))
        << "put this into docs/formats/behavior-tree.md:\n\n"
        << class_tables(registry);
}

}  // namespace
}  // namespace caribou::behavior
