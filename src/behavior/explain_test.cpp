#include "behavior/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/recorder.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// Runs a small tree with a recorder, and explains the last tick.
class Explain : public testing::Test {
protected:
    Explain() {
        ClassRegistry classes;
        register_engine_classes(classes);
        const std::vector<TreeText> files{{"f", R"({"base": "robot", "behaviors": [
            {"class": "strict_priority", "id": "robot", "interrupts": false, "children": ["trip", "charge", "play", "rest", "late"]},
            {"class": "sequence", "id": "trip", "wants": {"fact": "go"}, "children": ["step"]},
            {"class": "timeout", "id": "step", "limit": "60ms", "children": [{"class": "idle"}]},
            {"class": "idle", "id": "charge", "wants": {"fact": "battery", "<": 20}},
            {"class": "queue", "id": "play", "wants": [{"fact": "cube"}, {"fact": "awake"}], "children": ["roll"]},
            {"class": "idle", "id": "roll"},
            {"class": "idle", "id": "rest"},
            {"class": "idle", "id": "late"}]})"}};
        auto loaded = load_tree(files, classes);
        EXPECT_TRUE(loaded.has_value()) << to_string(loaded.error());
        runner_ = std::make_unique<BehaviorRunner>(std::move(loaded->tree), facts_);
        EXPECT_TRUE(runner_->set_base("robot").has_value());
        recorder_ = std::make_unique<Recorder>(*runner_);
        runner_->add_observer(*recorder_);
        graph_ = graph_of(runner_->tree(), 0);
        facts_.set("cube", true);
        facts_.set("charging", true);
    }

    std::vector<std::string> why(std::string_view id, bool with_graph = true) {
        runner_->tick(now_ += 60ms);
        const auto recording = Recording::read(recorder_->bytes());
        EXPECT_TRUE(recording.has_value());
        Replay replay(*recording);
        EXPECT_TRUE(replay.seek(runner_->ticks()).has_value());
        const auto lines = explain(replay, id, with_graph ? &graph_ : nullptr);
        return lines ? *lines : std::vector<std::string>{lines.error().message};
    }

    Facts facts_;
    std::unique_ptr<BehaviorRunner> runner_;
    std::unique_ptr<Recorder> recorder_;
    TreeGraph graph_;
    Instant now_{};
};

TEST_F(Explain, NamesTheConditionThatSaidNo) {
    EXPECT_THAT(why("play"), ElementsAre("`play` was asked and declined: its condition `awake` does not hold",
                                         "  cube: holds", "  awake: does not hold"));
}

TEST_F(Explain, NamesTheCircumstances) {
    EXPECT_THAT(why("rest"),
                ElementsAre("`rest` was asked and declined: `charging` holds, and it is not allowed then"));
}

TEST_F(Explain, GoesUpToTheOneThatCouldListIt) {
    EXPECT_THAT(why("roll"),
                ElementsAre("`roll` was not asked: no behavior that lists it is active",
                            "  `play` was asked and declined: its condition `awake` does not hold",
                            "    cube: holds", "    awake: does not hold"));
    EXPECT_THAT(why("roll", false),
                ElementsAre("`roll` is in scope and has not declined, but received no control",
                            "  control is elsewhere: robot"));
}

TEST_F(Explain, SaysWhoHasControlInstead) {
    facts_.clear("charging");
    EXPECT_THAT(why("late"), ElementsAre("`late` is in scope and has not declined, but received no control",
                                         "  control is elsewhere: robot > rest"));
    EXPECT_THAT(why("rest"), ElementsAre("`rest` is active: robot > rest"));
    EXPECT_THAT(why("robot"),
                ElementsAre("`robot` is active: robot > rest", "  it has delegated; `rest` has control"));
}

TEST_F(Explain, ReportsHowAndWhenABehaviorHasEnded) {
    facts_.clear("charging");
    facts_.set("go", true);
    EXPECT_THAT(why("step").front(), "`step` is active: robot > trip > step > step/idle");
    facts_.set("go", false);
    for (int ticks = 0; ticks < 11; ++ticks) runner_->tick(now_ += 60ms);
    EXPECT_THAT(why("step"),
                ElementsAre("`step` was not asked: no behavior that lists it is active",
                            "  `trip` was asked and declined: its condition `go` does not hold",
                            "    go: does not hold",
                            "    `trip` ended in tick 2, 0.7 s before, failed: timed out after 60ms",
                            "  `step` ended in tick 2, 0.7 s before, failed: timed out after 60ms"));
    EXPECT_EQ(why_inactive_now(*runner_, *runner_->tree().find("step")),
              "its parent has not considered it again; it ended 0.7 s ago, failed: timed out after 60ms");
    EXPECT_EQ(why_inactive(*runner_, *runner_->tree().find("trip")),
              "its condition `go` does not hold; it has ended, failed: timed out after 60ms");
}

TEST_F(Explain, SuggestsAnIdForOneThatIsNotKnown) {
    EXPECT_THAT(why("paly"), ElementsAre("no behavior has the id `paly`; did you mean `play`?"));
}

TEST(Sentence, IsThereForEveryGate) {
    EXPECT_EQ(sentence({0, Gate::ensured, "cube"}), "no active ancestor ensures `cube`");
    EXPECT_EQ(sentence({0, Gate::requirement, "no cube is connected"}),
              "a requirement is not met: no cube is connected");
    EXPECT_EQ(sentence({0, Gate::behavior, ""}), "it does not want to");
    EXPECT_EQ(sentence({0, Gate::behavior, "too dark"}), "it does not want to: too dark");
    EXPECT_EQ(sentence({0, Gate::broken, "its init threw"}), "its init threw");
}

}  // namespace
}  // namespace caribou::behavior
