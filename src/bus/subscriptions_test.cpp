#include "bus/subscriptions.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
std::vector<std::string> list(const Subscriptions& subscriptions) {
    std::vector<std::string> all;
    subscriptions.for_each([&](const Subscriptions::Registration& r) {
        const auto* variable = std::get_if<Subscriptions::Variable>(&r);
        all.push_back(variable ? variable->key : std::get<Wildcard>(r).var_pattern);
    });
    return all;
}

TEST(Subscriptions, KeepTheirOrderAndMoveToTheEndWhenRenewed) {
    Subscriptions subscriptions;
    subscriptions.add(Subscriptions::Variable{"A", 0s});
    subscriptions.add(Wildcard{"*", "N*", 0s});
    subscriptions.add(Subscriptions::Variable{"B", 0s});
    subscriptions.add(Subscriptions::Variable{"A", 1s});
    EXPECT_EQ(list(subscriptions), (std::vector<std::string>{"N*", "B", "A"}));
    subscriptions.remove_wildcard({"*", "N*"});
    subscriptions.remove_variable("B");
    subscriptions.remove_variable("never there");
    EXPECT_EQ(list(subscriptions), std::vector<std::string>{"A"});
}

TEST(Subscriptions, DoNotMixAVariableUpWithAWildcard) {
    Subscriptions subscriptions;
    subscriptions.add(Subscriptions::Variable{"a,b", 0s});
    subscriptions.add(Wildcard{"a", "b", 0s});
    EXPECT_EQ(subscriptions.size(), 2u);
}

RC_GTEST_PROP(Subscriptions, HoldWhatAMapWouldHold, (std::vector<std::pair<bool, std::uint8_t>> steps)) {
    Subscriptions subscriptions;
    std::map<std::string, int> expected;
    for (const auto& [add, number] : steps) {
        const std::string key = "V" + std::to_string(number % 8);
        if (add) {
            subscriptions.add(Subscriptions::Variable{key, 0s});
            expected[key] = 1;
        } else {
            subscriptions.remove_variable(key);
            expected.erase(key);
        }
    }
    auto names = list(subscriptions);
    std::ranges::sort(names);
    std::vector<std::string> wanted;
    for (const auto& [key, unused] : expected) wanted.push_back(key);
    RC_ASSERT(names == wanted);
}

}  // namespace
}  // namespace caribou::bus
