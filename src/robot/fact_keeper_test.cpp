#include "robot/fact_keeper.hpp"

#include <gtest/gtest.h>

#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using behavior::Value;

class MemoryFactStore final : public FactStore {
public:
    Result<std::string> load() override {
        if (text.empty()) return fail(Code::not_found, "nothing is stored");
        return text;
    }
    Result<void> save(std::string_view saved) override {
        ++saves;
        if (!refusal.empty()) return fail(Code::unavailable, refusal);
        text = saved;
        return {};
    }
    std::string text;
    std::string refusal;
    int saves = 0;
};

class FactKeeperTest : public testing::Test {
protected:
    FactKeeperTest() {
        declared_["rounds"] = {.name = "rounds",
                               .type = behavior::FactDeclaration::Type::number,
                               .max = 5,
                               .fallback = 0.0,
                               .is_kept = true};
        declared_["mood"] = {.name = "mood", .type = behavior::FactDeclaration::Type::text};
    }
    MemoryFactStore store_;
    MemoryLog log_;
    behavior::FactDeclarations declared_;
    behavior::Facts facts_;
    FactKeeper keeper_{&store_, log_};
};

TEST_F(FactKeeperTest, RestoresWhatItHasSaved) {
    keeper_.set_tree(declared_, facts_);
    facts_.set("rounds", 3.0);
    facts_.set("mood", std::string("good"));
    keeper_.save(facts_);
    EXPECT_EQ(store_.text, "{\"version\":1,\"facts\":{\"rounds\":3}}\n");
    behavior::Facts later;
    FactKeeper(&store_, log_).set_tree(declared_, later);
    EXPECT_EQ(*later.find("rounds"), Value(3.0));
    EXPECT_EQ(later.find("mood"), nullptr);
}

TEST_F(FactKeeperTest, SavesChangesAtMostOncePerPause) {
    keeper_.set_tree(declared_, facts_);
    const Instant start{1h};
    for (int tick = 0; tick <= 200; ++tick) {
        facts_.set("rounds", tick % 3 / 1.0);
        keeper_.look(facts_, start + tick * 50ms);
    }
    EXPECT_EQ(store_.saves, 3) << "at 0, 5 and 10 s";
    for (int tick = 0; tick <= 200; ++tick) keeper_.look(facts_, start + 1min + tick * 50ms);
    EXPECT_LE(store_.saves, 4) << "no change, no write";
}

TEST_F(FactKeeperTest, LeavesAValueThatDoesNotFitOut) {
    store_.text = R"({"version": 1, "facts": {"rounds": 9}})";
    keeper_.set_tree(declared_, facts_);
    EXPECT_EQ(facts_.find("rounds"), nullptr);
    EXPECT_TRUE(log_.mentions("do not fit their declarations: rounds"));
}

TEST_F(FactKeeperTest, LeavesANewerVersionAsItIs) {
    store_.text = R"({"version": 2, "facts": {"rounds": 1}})";
    keeper_.set_tree(declared_, facts_);
    EXPECT_TRUE(log_.mentions("its version is 2"));
    facts_.set("rounds", 3.0);
    keeper_.save(facts_);
    EXPECT_EQ(store_.saves, 0);
}

TEST_F(FactKeeperTest, ReportsADiskThatIsFull) {
    store_.refusal = "the disk is full";
    keeper_.set_tree(declared_, facts_);
    facts_.set("rounds", 3.0);
    keeper_.save(facts_);
    EXPECT_TRUE(log_.mentions("ai: the facts are not stored: the disk is full"));
}

TEST_F(FactKeeperTest, ARobotRemembersItsFactsAfterARestart) {
    RobotRig rig("DefaultRunMode = 2");
    rig.fact_store = &store_;
    rig.tree_text = R"({"base": "r", "facts": {"starts": {"default": 0, "keep": true}}, "behaviors": [
        {"class": "sequence", "id": "r", "children": [
            {"class": "act", "id": "count", "action": {"add": 1, "to": "starts"}}, {"class": "spin", "id": "spin"}]}]})";
    rig.make(rig.config.send_port);
    for (const double starts : {1.0, 2.0, 3.0}) {
        starts == 1 ? rig.start() : rig.start_again();
        rig.connect();
        rig.loop.advance(2s);
        EXPECT_EQ(*rig.robot->ai().facts().find("starts"), Value(starts));
        rig.robot->stop_ai();
    }
}

}  // namespace
}  // namespace caribou::robot
