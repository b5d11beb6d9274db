#include "motion/self_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "motion/motion_rig.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

/// Propulsion, a body, a latch in memory and a guard that obeys its limits, on virtual time.
class SelfCheckTest : public MotionRig {
protected:
    void on_answer(const MotionAnswer& answer) override {
        if (check) check->on_answer(answer);
    }
    void on_report(const MotionReport& report) override {
        MotionRig::on_report(report);
        if (!latch) return;
        if (report.stop != last_stop) latch->on_motion(report.stop);
        last_stop = report.stop;
        check->on_report(report);
        if (feeds && !cut_at) fed = report.at;
    }
    void run() {
        latch.emplace(strand, store, [](const std::string&) {});
        SelfCheckSettings wanted{.motion = settings, .stop_before = store.kept.stop};
        if (guarded) wanted.guard_limit = 220ms;
        check.emplace(SelfCheckParts{.motion = propulsion,
                                     .latch =
                                         [this](bool stopped, StopLatch::Told told) {
                                             if (stopped)
                                                 return latch->stop(StopCause::self_check, std::move(told));
                                             latch->release(std::move(told));
                                         },
                                     .stored = [this]() -> Result<LatchRecord> {
                                         if (!loses_file) return store.kept;
                                         return fail(Code::not_found, "no such file");
                                     },
                                     .feed = [this](bool on) { feeds = on; }},
                      wanted, loop.clock().now());
        for (int i = 0; i < 10'000 && !check->step(loop.clock().now()); ++i) {
            loop.advance(5ms);
            play_guard();
            if (meanwhile) meanwhile();
        }
    }
    /// Cuts the body when it is not fed, and restores it a second later.
    void play_guard() {
        const Instant now = loop.clock().now();
        if (!feeds && !cut_at && guard_works && now - fed >= guard_delay) {
            cut_at = now;
            body.away = "the driver was killed";
            body.motors_on = false;
            body.driven = {};
            check->on_guard_cut({"no feed", now - fed, cut_is_confirmed});
            propulsion.set_guard_cut(true);
        }
        if (cut_at && feeds && now - *cut_at >= 1s && comes_back && !body.away.empty()) {
            body.away.clear();
            propulsion.set_guard_cut(false);
            check->on_guard_restored();
        }
    }
    std::string text_of(std::string_view name) const {
        for (const CheckItem& item : check->items())
            if (item.name == name) return std::string(to_string(item.outcome)) + ": " + item.text;
        return "missing";
    }

    LocalStrand strand{loop};
    MemoryLatchStore store;
    std::optional<StopLatch> latch;
    std::optional<SelfCheck> check;
    std::optional<StopCause> last_stop;
    std::function<void()> meanwhile;
    Instant fed{};
    std::optional<Instant> cut_at;
    Duration guard_delay = 200ms;
    bool guarded = true;
    bool guard_works = true;
    bool cut_is_confirmed = true;
    bool comes_back = true;
    bool feeds = true;
    bool loses_file = false;
};

TEST_F(SelfCheckTest, PassesOnABodyThatObeys) {
    run();
    EXPECT_TRUE(check->good());
    EXPECT_EQ(check->items().size(), 5U);
    EXPECT_THAT(text_of("stop"), HasSubstr("passed: zero ordered after"));
    EXPECT_THAT(text_of("stop"), HasSubstr("limit 100 ms"));
    EXPECT_THAT(text_of("wheels"), HasSubstr("passed: at rest by the encoders"));
    EXPECT_THAT(text_of("latch"), HasSubstr("passed: stored and read back after"));
    EXPECT_THAT(text_of("latch"), HasSubstr("released again"));
    EXPECT_THAT(text_of("dead man's switch"),
                HasSubstr("passed: an order that was not renewed ended after 5"));
    EXPECT_THAT(text_of("guard"),
                HasSubstr("passed: the body stopped 200 ms after the last feed; limit 220 ms"));
    EXPECT_EQ(store.kept.stop, std::nullopt) << "as it was before";
    EXPECT_TRUE(at_rest());
    body.say("emergency", true);
    loop.advance(100ms);
    EXPECT_TRUE(check->step(loop.clock().now()));
    EXPECT_TRUE(check->good()) << "what comes later does not count";
    EXPECT_EQ(check->items().size(), 5U);
}

TEST_F(SelfCheckTest, IsNotGoodBeforeItsEnd) {
    bool was_good = false;
    meanwhile = [&] { was_good = was_good || (check->items().size() < 5 && check->good()); };
    run();
    EXPECT_FALSE(was_good);
}

TEST_F(SelfCheckTest, WaitsForABodyThatIsAbsentAtItsStart) {
    const Instant back = loop.clock().now() + 3s;
    meanwhile = [&] { body.away = loop.clock().now() < back ? "the driver starts" : ""; };
    body.away = "the driver starts";
    guarded = false;
    run();
    EXPECT_TRUE(check->good()) << text_of("stop");
}

TEST_F(SelfCheckTest, ProvesNothingIfAnotherReasonEndsTheOrder) {
    // The body is cut for a moment while the order lives.
    int steps = 0;
    meanwhile = [&] {
        if (check->items().size() == 3 && body.driven != WheelSpeeds{} && ++steps == 20)
            propulsion.set_guard_cut(true);
    };
    run();
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("dead man's switch"), HasSubstr("before its time to live of 500 ms"));
}

TEST_F(SelfCheckTest, NeverReleasesAStoredStop) {
    store.kept.stop = StopCause::station;
    bool was_released = false;
    meanwhile = [&] { was_released = was_released || !store.kept.stop; };
    run();
    EXPECT_TRUE(check->good()) << text_of("latch");
    EXPECT_THAT(text_of("latch"), HasSubstr("the robot was stopped before (station) and stays so"));
    EXPECT_FALSE(was_released);
    EXPECT_EQ(store.kept.stop, StopCause::station);
}

TEST_F(SelfCheckTest, FailsOnWheelsThatIgnoreAStop) {
    body.never_brakes = true;
    run();
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("failed: the wheels still turn at -0.12 and 0.12 m/s"));
    EXPECT_EQ(text_of("guard"), "unverified: not tried, because `wheels` failed");
}

TEST_F(SelfCheckTest, WaitsForAMissingReadingOfWheelsThatRunOn) {
    body.never_brakes = true;
    meanwhile = [&, gap = 0]() mutable {
        if (!check->items().empty()) body.encoders_alive = ++gap > 20;
    };
    run();
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("failed: the wheels still turn at -0.12 and 0.12 m/s"));
}

TEST_F(SelfCheckTest, PassesOnWheelsThatAreAtRestAfterAMissingReading) {
    meanwhile = [&, gap = 0]() mutable {
        if (!check->items().empty()) body.encoders_alive = ++gap > 20;
    };
    run();
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("passed: at rest by the encoders"));
}

TEST_F(SelfCheckTest, FailsOnEncodersThatFallSilentAtTheStop) {
    meanwhile = [&] { body.encoders_alive = check->items().empty(); };
    run();
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("failed: the encoders give no reading 5"));
}

TEST_F(SelfCheckTest, FailsOnABodyThatIsAbsentAfterTheStop) {
    meanwhile = [&] {
        if (check->items().empty()) return;
        body.encoders_alive = false;
        body.away = "the driver is silent";
    };
    run();
    EXPECT_THAT(text_of("wheels"),
                HasSubstr("ordered; the body was absent meanwhile: its driver was silent"));
}

TEST_F(SelfCheckTest, NamesAnAbsentBodyAndNotItsEncoders) {
    const Instant back = loop.clock().now() + 1400ms;
    meanwhile = [&, drives = 0]() mutable {
        if (body.driven != WheelSpeeds{}) ++drives;
        const bool is_late = drives > 10;
        body.encoders_alive = !is_late;
        body.away = is_late && loop.clock().now() < back ? "the driver is silent" : "";
    };
    run();
    EXPECT_THAT(text_of("stop"),
                HasSubstr("failed: the wheels do not turn: the body was absent meanwhile: its driver was"));
}

TEST_F(SelfCheckTest, ReportsWhatABodyWithoutEncodersDoesNotShow) {
    body.encoders_alive = false;
    run();
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("wheels"), StartsWith("unverified: the body has no encoders"));
}

TEST_F(SelfCheckTest, FailsWhenTheStopIsNotStored) {
    store.is_full = true;
    run();
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("latch"), HasSubstr("failed: the stop is not stored: no space left on the disk"));
}

TEST_F(SelfCheckTest, FailsWhenTheStopIsNotReadBack) {
    loses_file = true;
    run();
    EXPECT_THAT(text_of("latch"), HasSubstr("failed: the stop is not read back from the disk: no such file"));
}

TEST_F(SelfCheckTest, FailsWhenTheReleaseIsNotReadBack) {
    meanwhile = [&, steps = 0]() mutable {
        if (check->items().size() == 2 && ++steps > 30) store.kept.stop = StopCause::self_check;
    };
    run();
    EXPECT_THAT(text_of("latch"), HasSubstr("failed: the release is not stored; release the robot"));
}

TEST_F(SelfCheckTest, FailsWhenTheStopOfBeforeIsLost) {
    store.kept.stop = StopCause::station;
    meanwhile = [&, steps = 0]() mutable {
        if (check->items().size() == 2 && ++steps > 30) store.kept.stop.reset();
    };
    run();
    EXPECT_THAT(text_of("latch"), HasSubstr("failed: the stored stop of before is lost"));
}

TEST_F(SelfCheckTest, FeedsTheGuardAgainAfterAFault) {
    guard_works = false;
    meanwhile = [&] {
        if (!feeds) body.complaint = "too hot";
    };
    run();
    EXPECT_THAT(text_of("guard"), HasSubstr("failed: the fault motor_driver"));
    EXPECT_TRUE(feeds);
}

TEST_F(SelfCheckTest, FailsWithoutAGuardThatCuts) {
    guard_works = false;
    run();
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("guard"), HasSubstr("failed: the guard did not stop the body within 2220 ms"));
    EXPECT_TRUE(feeds) << "fed again";
}

TEST_F(SelfCheckTest, FailsOnALateGuard) {
    guard_delay = 300ms;
    run();
    EXPECT_THAT(text_of("guard"), HasSubstr("failed: the guard stopped the body 300 ms after the last feed"));
}

TEST_F(SelfCheckTest, FailsOnACutForAnotherReason) {
    guard_delay = 50ms;
    run();
    EXPECT_THAT(text_of("guard"),
                HasSubstr("failed: the guard stopped the body for another reason: no feed"));
}

TEST_F(SelfCheckTest, FailsOnACutThatIsNotConfirmed) {
    cut_is_confirmed = false;
    run();
    EXPECT_THAT(text_of("guard"), HasSubstr("failed: the guard could not confirm"));
}

TEST_F(SelfCheckTest, FailsWhenTheBodyDoesNotComeBack) {
    comes_back = false;
    run();
    EXPECT_THAT(text_of("guard"), HasSubstr("failed: the body is not back 15 s after"));
}

TEST_F(SelfCheckTest, ReportsThatThereIsNoGuard) {
    guarded = false;
    run();
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("guard"), StartsWith("unverified: nothing outside the robot's process"));
}

TEST_F(SelfCheckTest, FailsOnWheelsThatDoNotTurn) {
    body.wheels_blocked = true;
    run();
    EXPECT_THAT(text_of("stop"),
                HasSubstr("failed: the wheels do not turn: the wheels are ordered to turn, but"));
}

TEST_F(SelfCheckTest, ExplainsWhyARobotOnAStandDoesNotMove) {
    body.say("cliff_front", true);
    body.say("cliff_rear", true);
    run();
    EXPECT_THAT(text_of("stop"), HasSubstr("its cliff sensors see no floor"));
}

TEST_F(SelfCheckTest, LeavesTheStopOfAnEmergencyInputLatched) {
    meanwhile = [&] {
        if (!check->items().empty()) body.say("emergency", true);
    };
    run();
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("failed: the emergency input"));
    EXPECT_FALSE(check->may_release());
}

TEST_F(SelfCheckTest, FailsOnAFaultOfTheMotors) {
    meanwhile = [&] { body.complaint = "too hot"; };
    run();
    EXPECT_THAT(text_of("stop"), HasSubstr("failed: the fault motor_driver"));
}

}  // namespace
}  // namespace caribou::motion
