#include "behavior/runner_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_node.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/// Plays when the fact `bored` is set, and rests otherwise.
class RunnerPictureOf : public testing::Test {
protected:
    RunnerPictureOf() {
        ClassRegistry classes;
        register_engine_classes(classes);
        auto loaded = load_tree(std::vector<TreeText>{{"tree.json", R"({"base": "robot", "behaviors": [
            {"class": "strict_priority", "id": "robot", "children": ["play", {"class": "idle"}]},
            {"class": "idle", "id": "play", "wants": {"fact": "bored", "==": true}}]})"}},
                                classes);
        if (!loaded) throw std::runtime_error(to_string(loaded.error()));
        plan = loaded->plan;
        runner = std::make_unique<BehaviorRunner>(std::move(loaded->tree), facts);
        runner->add_observer(recent);
        std::ignore = runner->set_base(loaded->base);
        tick();
    }
    void tick() { runner->tick(now += 100ms); }
    data::Behaviors picture() const { return picture_of(*runner, plan, recent, 1000); }
    const data::BehaviorState& state(const data::Behaviors& of, std::string_view id) const {
        return std::ranges::find(of.states, id, &data::BehaviorStateOf::id)->state;
    }

    Facts facts;
    TreePlan plan;
    RecentChanges recent;
    std::unique_ptr<BehaviorRunner> runner;
    Instant now{};
};

TEST_F(RunnerPictureOf, ShowsTheStackAndWhyTheOthersSleep) {
    const data::Behaviors shown = picture();
    EXPECT_THAT(shown.stack, ElementsAre("robot", "robot/idle"));
    EXPECT_FALSE(shown.idle);
    EXPECT_TRUE(state(shown, "robot/idle").active);
    EXPECT_EQ(state(shown, "robot/idle").why, "");
    const data::BehaviorState& play = state(shown, "play");
    EXPECT_TRUE(play.in_scope);
    EXPECT_EQ(play.scope, 1U);
    EXPECT_EQ(play.gate, to_string(Gate::condition));
    EXPECT_THAT(play.why, HasSubstr("bored"));
    EXPECT_EQ(shown.tree[0].parent, std::nullopt);
    EXPECT_EQ(shown.tree[0].class_name, "strict_priority");
    EXPECT_EQ(shown.tree[1].parent, "robot");
    EXPECT_THAT(shown.recent.back().text, HasSubstr("robot/idle pushed by robot"));
}

TEST_F(RunnerPictureOf, ShowsWhatAForcedConditionDoesUntilItIsFreeAgain) {
    ASSERT_TRUE(force_condition(*runner, "play", 0, true));
    tick();
    EXPECT_THAT(picture().stack, ElementsAre("robot", "play"));
    EXPECT_EQ(picture().conditions.front().forced, true);
    EXPECT_THAT(picture().recent.back().text, HasSubstr("play pushed"));
    ASSERT_TRUE(force_condition(*runner, "play", 0, std::nullopt));
    ASSERT_TRUE(runner->request_reset("again"));
    tick();
    EXPECT_THAT(picture().stack, ElementsAre("robot", "robot/idle"));
    EXPECT_EQ(picture().conditions.front().forced, std::nullopt);
}

TEST_F(RunnerPictureOf, SaysWhatInsteadOfAConditionThatIsNotThere) {
    EXPECT_THAT(force_condition(*runner, "pley", 0, true).error().message, HasSubstr("play"));
    EXPECT_EQ(force_condition(*runner, "play", 7, true).error().message,
              "play has 1 conditions, numbered from 0");
}

TEST_F(RunnerPictureOf, RemembersNoMoreThanItMay) {
    for (std::size_t i = 0; i < RecentChanges::most; ++i) {
        ASSERT_TRUE(runner->request_reset("again"));
        tick();
    }
    EXPECT_EQ(picture().recent.size(), RecentChanges::most);
}

TEST_F(RunnerPictureOf, IsOneObjectOfJson) {
    const auto json = read_json(to_json(picture()));
    ASSERT_TRUE(json) << json.error().message;
    for (const char* const key :
         {"tick", "idle", "tree", "stack", "states", "conditions", "actions", "recent"})
        EXPECT_NE(json->find(key), nullptr) << key;
    EXPECT_DOUBLE_EQ(json->find("recent")->items.back().find("at")->number, 1000.1);
}

}  // namespace
}  // namespace caribou::behavior
