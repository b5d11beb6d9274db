#include "behavior/tree_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

using testing::HasSubstr;
using testing::Not;

class TreePicture : public testing::Test {
protected:
    TreePicture() {
        register_engine_classes(classes_);
        const std::vector<TreeText> files{{"f", R"({"base": "robot", "behaviors": [
            {"class": "strict_priority_with_cooldown", "id": "robot", "interrupts": false, "children": [
                {"class": "act", "id": "charge", "allowed_charging": true, "action": {"wait": "5s"},
                 "wants": [{"fact": "battery", "<": 20}, {"fact": "docked"}]},
                {"cooldown": "90s", "child": {"class": "queue", "children": ["rest", {"class": "idle"}]}},
                "rest"]},
            {"class": "idle", "id": "rest", "sensors_in_scope": ["faces", "touch"]}]})"}};
        auto loaded = load_tree(files, classes_);
        EXPECT_TRUE(loaded.has_value()) << to_string(loaded.error());
        if (loaded) plan_ = std::move(loaded->plan);
    }
    ClassRegistry classes_;
    TreePlan plan_;
};

TEST_F(TreePicture, IsAnOutlineForTerminals) {
    EXPECT_EQ(outline_of(plan_, classes_), R"(robot (strict_priority_with_cooldown); not interrupts
├─ charge (act); action wait 5s; wants battery < 20 and docked; allowed_charging
├─ [cooldown 90s] queue
│  ├─ rest (idle); sensors_in_scope faces, touch
│  └─ idle
└─ rest (idle), see above
)");
}

TEST_F(TreePicture, IsAGraphForGraphviz) {
    const std::string dot = dot_of(plan_, classes_);
    EXPECT_THAT(
        dot,
        HasSubstr("b0 [label=\"robot (strict_priority_with_cooldown)\\lnot interrupts\\l\", penwidth=2];"));
    EXPECT_THAT(dot, HasSubstr("b0 -> b2 [label=\"cooldown 90s\"];"));
}

TEST_F(TreePicture, IsAnSvgWithoutHelpOfOthers) {
    const std::string svg = svg_of(plan_, classes_);
    EXPECT_TRUE(svg.starts_with("<svg xmlns="));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_THAT(svg, HasSubstr(">wants battery &lt; 20 and docked</text>"));
    EXPECT_THAT(svg, HasSubstr("class=\"again\""));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST_F(TreePicture, OfAChainIsDrawnHoweverDeep) {
    std::string text = R"({"base": "b0", "behaviors": [{"class": "idle", "id": "b5000"})";
    for (int i = 0; i < 5000; ++i)
        text += R"(,{"class": "pass_through", "id": "b)" + std::to_string(i) + R"(", "children": ["b)" +
                std::to_string(i + 1) + "\"]}";
    auto loaded = load_tree(std::vector<TreeText>{{"f", text + "]}"}}, classes_);
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    EXPECT_THAT(svg_of(loaded->plan, classes_), HasSubstr(">b5000<"));
}

}  // namespace
}  // namespace caribou::behavior
