#include "behavior/tree_reload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

const TreeText first{"robot.json",
                     R"({"base": "r", "behaviors": [{"class": "queue", "id": "r", "children": ["a"]}]})"};
const TreeText second{"leaves.json", R"({"behaviors": [{"class": "idle", "id": "a"}]})"};

class TreeReloadTest : public testing::Test {
protected:
    TreeReloadTest() {
        register_engine_classes(classes_);
        auto loaded = load_tree(files_, classes_);
        runner_ = std::make_unique<BehaviorRunner>(std::move(loaded->tree), facts_);
        EXPECT_TRUE(runner_->set_base(loaded->base).has_value());
        reload_ = std::make_unique<TreeReload>(*runner_, classes_, files_);
        tick();
    }

    std::vector<std::string> tick() {
        now_ += 60ms;
        runner_->tick(now_);
        std::vector<std::string> stack;
        for (const Behavior* behavior : runner_->stack()) stack.push_back(behavior->id());
        return stack;
    }

    ClassRegistry classes_;
    Facts facts_;
    std::vector<TreeText> files_{first, second};
    std::unique_ptr<BehaviorRunner> runner_;
    std::unique_ptr<TreeReload> reload_;
    Instant now_{};
};

TEST_F(TreeReloadTest, TakesAGoodTreeAtTheNextTick) {
    ASSERT_THAT(tick(), ElementsAre("r", "a"));
    const auto changed = reload_->change({"robot.json", R"({"base": "new", "behaviors": [
        {"class": "repeat", "id": "new", "children": ["a"]}]})"});
    ASSERT_TRUE(changed.has_value()) << to_string(changed.error());
    EXPECT_EQ(*changed, TreeReload::Change::accepted);
    EXPECT_EQ(runner_->stack().size(), 2U) << "not before the tick";
    EXPECT_THAT(tick(), ElementsAre("new", "a"));
}

TEST_F(TreeReloadTest, GoesOnWithTheOldTreeIfTheNewOneIsBad) {
    const auto changed = reload_->change({"leaves.json", R"({"behaviors": [{"class": "idle", "id": "b"}]})"});
    ASSERT_FALSE(changed.has_value());
    EXPECT_EQ(to_string(changed.error()), "robot.json:1:72: no behavior has the id `a`; did you mean `b`?\n");
    EXPECT_THAT(tick(), ElementsAre("r", "a"));
}

TEST_F(TreeReloadTest, TakesAChangeOverTwoFilesWithTheSecond) {
    EXPECT_FALSE(reload_->change({"leaves.json", R"({"behaviors": [{"class": "idle", "id": "b"}]})"}));
    EXPECT_TRUE(reload_->change({"robot.json", R"({"base": "r", "behaviors": [
        {"class": "queue", "id": "r", "children": ["b"]}]})"}));
    EXPECT_THAT(tick(), ElementsAre("r", "b"));
}

TEST_F(TreeReloadTest, DisturbsNothingIfNothingChanged) {
    const auto changed = reload_->change(second);
    ASSERT_TRUE(changed.has_value());
    EXPECT_EQ(*changed, TreeReload::Change::none);
    now_ += 60ms;
    EXPECT_TRUE(runner_->tick(now_).changes.empty());
}

TEST_F(TreeReloadTest, AddsAndRemovesFiles) {
    EXPECT_FALSE(reload_->remove("leaves.json").has_value());
    EXPECT_TRUE(reload_->change({"other.json", second.text}).has_value());
    EXPECT_EQ(reload_->files().size(), 2U);
    EXPECT_EQ(*reload_->remove("unknown.json"), TreeReload::Change::none);
    EXPECT_THAT(tick(), ElementsAre("r", "a"));
}

}  // namespace
}  // namespace caribou::behavior
