#include "bus/variable_table.hpp"

#include <deque>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bus/variable.hpp"

namespace caribou::bus {
namespace {

/// Behaves like std::map for random adds and removes, with and without an index.
RC_GTEST_PROP(VariableTable, BehavesAsAMap, (const std::vector<std::uint16_t>& steps)) {
    std::deque<Variable> variables;
    for (int i = 0; i < 64; ++i) variables.emplace_back(std::to_string(i));
    VariableTable table;
    std::map<const Variable*, std::size_t> model;
    for (const std::uint16_t step : steps) {
        Variable& variable = variables[step % variables.size()];
        if (step % 3 == 0) {
            table.remove(variable);
            model.erase(&variable);
        } else {
            RC_ASSERT(table.add(variable, step) == model.emplace(&variable, step).second);
        }
        RC_ASSERT(table.size() == model.size());
    }
    for (const Variable& variable : variables) {
        const auto* const found = table.find(variable);
        RC_ASSERT((found != nullptr) == model.contains(&variable));
        if (found) RC_ASSERT(found->number == model.at(&variable));
    }
}

TEST(VariableTable, IsEmptyAgainWhenEverythingWasRemoved) {
    std::deque<Variable> variables;
    VariableTable table;
    for (int i = 0; i < 100; ++i) table.add(variables.emplace_back(std::to_string(i)));
    for (const Variable& variable : variables) table.remove(variable);
    EXPECT_TRUE(table.empty());
    EXPECT_TRUE(table.add(variables[3]));
    EXPECT_FALSE(table.add(variables[3]));
    EXPECT_EQ(table.entries()[0].variable, &variables[3]);
}

}  // namespace
}  // namespace caribou::bus
