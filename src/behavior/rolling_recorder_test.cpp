#include "behavior/rolling_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"
#include "behavior/recording.hpp"
#include "behavior/replay.hpp"

namespace caribou::behavior {
namespace {

/// base -> child, which ends and begins again in every second tick.
class RollingRecorderTest : public testing::Test {
protected:
    RollingRecorderTest() {
        base.delegates = {&child};
        base.in_update = [this](Control& control) {
            if (control.can_delegate()) ask_and_delegate(control, child);
        };
        child.in_update = [](Control& control) {
            if (control.is_active()) (void)control.finish(Outcome::succeeded());
        };
        rig.start("base");
    }
    void record(RollingRecorder& recorder, std::size_t ticks) {
        for (std::size_t i = 0; i < ticks; ++i) {
            rig.tick();
            recorder.settle(*rig.runner);
            stacks[rig.runner->ticks()] = rig.stack();
            EXPECT_LE(recorder.bytes().size(), limit);
        }
    }
    /// Compares each tick of the recording with the tick itself. Returns how many it has.
    std::size_t check(const RollingRecorder& recorder) {
        const auto recording = Recording::read(recorder.bytes());
        if (!recording) {
            ADD_FAILURE() << recording.error().message;
            return 0;
        }
        Replay replay(*recording);
        do {
            Trace stack;
            for (const Who who : replay.state().stack) stack.emplace_back(replay.id(who));
            EXPECT_EQ(stack, stacks[replay.tick()->tick]) << "tick " << replay.tick()->tick;
        } while (replay.step());
        EXPECT_EQ(replay.tick()->tick, rig.runner->ticks()) << "the latest tick";
        return recording->ticks().size();
    }

    static constexpr std::size_t limit = 2000;
    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& child = rig.make("child");
    std::map<std::uint64_t, Trace> stacks;
};

TEST_F(RollingRecorderTest, KeepsEveryTickUntilItIsFull) {
    RollingRecorder recorder({limit});
    recorder.start(*rig.runner);
    rig.runner->add_observer(recorder);
    stacks[rig.runner->ticks()] = rig.stack();
    record(recorder, 50);
    EXPECT_EQ(check(recorder), 51U) << "and the snapshot";
}

TEST_F(RollingRecorderTest, KeepsTheLatestTicksInBoundedMemory) {
    RollingRecorder recorder({limit});
    recorder.start(*rig.runner);
    rig.runner->add_observer(recorder);
    stacks[rig.runner->ticks()] = rig.stack();
    for (int i = 0; i < 30; ++i) {
        record(recorder, 67);
        EXPECT_GT(check(recorder), 0U);
        EXPECT_GE(recorder.bytes().size(), limit / 2);
    }
}

TEST_F(RollingRecorderTest, StartsAgainAfterATickThatIsTooLarge) {
    RollingRecorder recorder({300});
    recorder.start(*rig.runner);
    rig.runner->add_observer(recorder);
    for (int i = 0; i < 200; ++i) (void)base.control->cancel_self();  // breaks a rule each time
    record(recorder, 3);
    EXPECT_GT(check(recorder), 0U);
}

TEST_F(RollingRecorderTest, IsEmptyBeforeItIsStarted) {
    RollingRecorder recorder({limit});
    rig.runner->add_observer(recorder);
    rig.tick();
    recorder.settle(*rig.runner);
    EXPECT_TRUE(recorder.bytes().empty());
}

}  // namespace
}  // namespace caribou::behavior
