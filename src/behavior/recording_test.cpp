// A recording replays the run exactly, and invalid bytes are rejected with an error.
#include "behavior/recording.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "behavior/behavior_rig.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/recorder.hpp"
#include "behavior/replay.hpp"
#include "behavior/wait_action.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// base -> play, charge. A run that contains most kinds of changes; it is stored in the golden file.
class RecordedRun : public testing::Test {
protected:
    RecordedRun() {
        base.delegates = {&play, &charge};
        (void)play.wants_when(std::make_unique<FactCondition>("cube"));
        (void)charge.wants_when(std::make_unique<FactCondition>("battery", Comparison::less, 20.0));
        (void)play.cancel_when(std::make_unique<FactCondition>("bored"));
        base.in_update = [this](Control& control) {
            if (!control.can_delegate()) return;
            for (Scripted* child : {&charge, &play})
                if (ask_and_delegate(control, *child)) return;
        };
        charge.in_activated = [](Control& control) {
            (void)control.delegate(std::make_unique<WaitAction>(20ms), [](Control& again, const Outcome&) {
                (void)again.finish(Outcome::failed("no current"));
            });
        };
    }
    void run() {
        const std::pair<std::string, Value> news[] = {{"cube", true},    {"bored", true}, {"cube", false},
                                                      {"battery", 10.0}, {"x", 1.0},      {"x", 1.0},
                                                      {"battery", 90.0}};
        tick_and_remember();
        for (const auto& [name, value] : news) {
            rig.facts.set(name, value);
            tick_and_remember();
        }
        (void)base.control->cancel_self();  // between ticks: breaks a rule
        tick_and_remember();
        (void)rig.runner->request_reset("the end", "charge");
        tick_and_remember();
    }
    void tick_and_remember() {
        rig.tick();
        stacks.push_back(rig.stack());
        std::vector<std::string> in_scope;
        for (std::size_t i = 0; i < rig.runner->tree().size(); ++i)
            if (rig.runner->tree()[i].state() >= Behavior::State::in_scope)
                in_scope.push_back(rig.runner->tree()[i].id());
        scopes.push_back(in_scope);
    }
    void start() {
        rig.make_runner();
        (void)rig.runner->set_base("base");
    }
    /// Checks every remembered tick; the number of the first one is `first`.
    void expect_replay(const Recording& recording, std::uint64_t first) {
        Replay replay(recording);
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            ASSERT_TRUE(replay.seek(first + i));
            std::vector<std::string> stack;
            for (const Who who : replay.state().stack) stack.emplace_back(replay.id(who));
            EXPECT_EQ(stack, stacks[i]) << "tick " << first + i;
            std::vector<std::string> in_scope;
            for (const Who who : replay.state().in_scope) in_scope.emplace_back(replay.id(who));
            EXPECT_EQ(in_scope, scopes[i]) << "tick " << first + i;
        }
    }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& play = rig.make("play");
    Scripted& charge = rig.make("charge");
    std::vector<Trace> stacks;
    std::vector<Trace> scopes;
};

TEST_F(RecordedRun, ReplaysStackAndScopeExactlyAtAnyTick) {
    start();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    run();
    const auto recording = Recording::read(recorder.bytes());
    ASSERT_TRUE(recording) << recording.error().message;
    expect_replay(*recording, 1);
    EXPECT_FALSE(recording->cut_off());
    EXPECT_EQ(recording->ticks().back().now, rig.now);
    Replay replay(*recording);
    ASSERT_TRUE(replay.seek(9));
    ASSERT_TRUE(replay.seek(2)) << "back again";
    EXPECT_EQ(replay.tick()->tick, 2u);
    EXPECT_EQ(replay.seek(99).error().code, Code::not_found);
}

TEST_F(RecordedRun, MayBeginInTheMiddle) {
    start();
    rig.facts.set("cube", true);
    rig.tick();
    rig.tick();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    run();
    const auto recording = Recording::read(recorder.bytes());
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_EQ(recording->ticks().front().tick, 2u);
    expect_replay(*recording, 3);
}

TEST_F(RecordedRun, TellsWhyABehaviorWasNotActive) {
    start();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    run();
    const auto recording = Recording::read(recorder.bytes());
    ASSERT_TRUE(recording);
    Replay replay(*recording);
    ASSERT_TRUE(replay.seek(1));
    const Who who = replay.find("charge");
    ASSERT_TRUE(replay.state().refused.contains(who));
    EXPECT_EQ(replay.state().refused.at(who), (Refused{who, Gate::condition, "battery < 20"}));
    EXPECT_EQ(replay.condition_text(who, 0), "battery < 20");
    EXPECT_FALSE(replay.state().conditions.at({who, 0}));
    EXPECT_EQ(replay.find("nobody"), nobody);
}

TEST_F(RecordedRun, FollowsAReplacedTree) {
    start();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    rig.tick();
    auto tree = std::make_unique<BehaviorTree>();
    tree->emplace<Scripted>("other", rig.trace);
    ASSERT_TRUE(rig.runner->request_tree(std::move(tree), "other"));
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("other"));
    const auto recording = Recording::read(recorder.bytes());
    ASSERT_TRUE(recording) << recording.error().message;
    Replay replay(*recording);
    ASSERT_TRUE(replay.seek(2));
    EXPECT_EQ(replay.id(replay.state().stack.at(0)), "other");
    ASSERT_TRUE(replay.seek(1));
    EXPECT_EQ(replay.id(replay.state().stack.at(0)), "base");
}

TEST_F(RecordedRun, CostsFourBytesForATickInWhichNothingHappens) {
    start();
    rig.tick();
    rig.tick();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    rig.tick();
    rig.tick();
    rig.tick();
    const std::size_t before = recorder.bytes().size();
    rig.tick();
    EXPECT_EQ(recorder.bytes().size() - before, 4u);
}

TEST_F(RecordedRun, EndsWholeWhenItIsFull) {
    start();
    Recorder recorder(*rig.runner, {.max_bytes = 200});
    rig.runner->add_observer(recorder);
    run();
    EXPECT_TRUE(recorder.full());
    EXPECT_LE(recorder.bytes().size(), 200u);
    const auto recording = Recording::read(recorder.bytes());
    ASSERT_TRUE(recording);
    EXPECT_FALSE(recording->cut_off());
}

TEST_F(RecordedRun, GoesOnBehindWhatWasForgotten) {
    start();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    tick_and_remember();
    Bytes stored(recorder.bytes().begin(), recorder.bytes().end());
    recorder.forget();
    tick_and_remember();
    append(stored, recorder.bytes());
    const auto recording = Recording::read(stored);
    ASSERT_TRUE(recording);
    expect_replay(*recording, 1);
}

TEST_F(RecordedRun, IsReadUpToWhereItWasCutOff) {
    start();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    run();
    const auto whole = Recording::read(recorder.bytes());
    for (std::size_t size = recording_magic.size(); size < recorder.bytes().size(); ++size) {
        const auto part = Recording::read(recorder.bytes().first(size));
        ASSERT_TRUE(part) << size << ": " << part.error().message;
        EXPECT_LT(part->ticks().size(), whole->ticks().size());
    }
}

TEST_F(RecordedRun, IsByteForByteTheGoldenFile) {
    start();
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    run();
    const std::filesystem::path path = tests::in_repository("tests/golden/behavior/run.behavior");
    if (std::getenv("CARIBOU_WRITE_GOLDEN")) {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text_of(recorder.bytes());
    }
    std::ifstream file(path, std::ios::binary);
    const std::string golden((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(text_of(recorder.bytes()), golden)
        << "a change of the format needs another version, and CARIBOU_WRITE_GOLDEN=1 once";
}

/// Reads a recording with one tree (a, b), followed by these records.
Result<Recording> read_records(std::initializer_list<std::string> records) {
    std::string bytes(recording_magic);
    const std::string tree(
        "\x01\x02\x01"
        "a\x00\x01"
        "b\x00",
        8);
    bytes += static_cast<char>(tree.size());
    bytes += tree;
    for (const std::string& record : records) {
        bytes += static_cast<char>(record.size());
        bytes += record;
    }
    return Recording::read(bytes_of(bytes));  // only errors are examined, so the bytes may be freed
}

TEST(Recording, RefusesWhatMakesNoSense) {
    const std::string snapshot("\x03\x00", 2);
    EXPECT_TRUE(read_records({snapshot}));
    EXPECT_THAT(Recording::read(bytes_of("MOOS")).error().message, HasSubstr("not a recording"));
    EXPECT_THAT(read_records({"\x02"}).error().message, HasSubstr("another kind"));
    EXPECT_THAT(read_records({""}).error().message, HasSubstr("empty"));
    EXPECT_THAT(read_records({snapshot, std::string("\x02\x00\x00", 3)}).error().message,
                HasSubstr("upwards"));
    EXPECT_THAT(read_records({snapshot, std::string("\x02\x01", 2)}).error().message, HasSubstr("lacks"));
    const std::string tick("\x02\x01\x00", 3);
    EXPECT_THAT(read_records({snapshot, tick + "\x63"}).error().message, HasSubstr("not readable"));
    EXPECT_THAT(read_records({snapshot, tick + "\x02\x09"}).error().message, HasSubstr("not readable"));
    EXPECT_THAT(read_records({snapshot, tick + std::string("\x00\x01\x00", 3)}).error().message,
                HasSubstr("does not follow"))
        << "pushed, but never in scope";
    EXPECT_THAT(read_records({snapshot, tick + "\x02\x01\x02\x01"}).error().message,
                HasSubstr("does not follow"))
        << "entered twice";
    EXPECT_TRUE(read_records({snapshot, tick + "\x02\x01\x03\x01"}));
}

}  // namespace
}  // namespace caribou::behavior
