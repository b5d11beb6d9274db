#include "motion/guard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Actions = Guard::Actions;

class GuardTest : public testing::Test {
protected:
    Actions feed(GuardFeed feed) {
        feed.at = now;
        return guard.on_message(feed, now);
    }
    Actions start() { return guard.on_message(GuardStart{}, now); }
    Actions after(Duration time) { return guard.on_time(now += time); }
    /// A robot that drives: its driver has introduced itself.
    void drive() {
        start();
        guard.on_message(DriverFacts{}, now);
        feed({.motors_on = true, .moving = true});
    }

    Instant now{100s};
    Guard guard{GuardWay::driver};
};

TEST_F(GuardTest, RestoresTheBodyWhenTheRobotStarts) {
    EXPECT_FALSE(guard.armed());
    EXPECT_THAT(start(), ElementsAre(Guard::Restore{}));
    EXPECT_TRUE(guard.armed());
}

TEST_F(GuardTest, CutsWhenFeedsStopWhileTheMotorsAreOn) {
    drive();
    EXPECT_EQ(guard.due(), now + 200ms);
    EXPECT_THAT(after(199ms), IsEmpty());
    EXPECT_THAT(after(1ms), ElementsAre(Guard::Cut{"no feed for 200 ms"}));
    EXPECT_FALSE(guard.armed());
    EXPECT_THAT(after(1s), IsEmpty()) << "once";
}

TEST_F(GuardTest, CutsAlthoughNoWheelTurnsYet) {
    start();
    guard.on_message(DriverFacts{}, now);
    feed({.motors_on = true});
    EXPECT_THAT(after(200ms), SizeIs(1)) << "the order that follows a feed may have been carried out";
}

TEST_F(GuardTest, KnowsUntilWhenADriverMayIntroduceItselfAndARobotThatEndsMayLeaveItsMotorsOn) {
    start();
    EXPECT_EQ(guard.due(), now + 5s);
    guard.on_message(DriverFacts{}, now);
    guard.on_end_requested(now, Guard::Ending::shutdown);
    const Instant off_by = now + 3s;
    now += 2900ms;
    feed({.motors_on = true});
    EXPECT_EQ(guard.due(), off_by);
}

TEST_F(GuardTest, CutsNothingWhileTheMotorsAreOff) {
    start();
    guard.on_message(DriverFacts{}, now);
    feed({});
    EXPECT_EQ(guard.due(), std::nullopt);
    EXPECT_THAT(after(10s), IsEmpty());
}

TEST_F(GuardTest, DoesNotTrustAFeedFromTheFuture) {
    drive();
    guard.on_message(GuardFeed{.at = now + 10s, .motors_on = true}, now);
    EXPECT_THAT(after(200ms), SizeIs(1));
}

TEST_F(GuardTest, CountsFromTheTimeThatAFeedWasStampedWith) {
    drive();
    guard.on_message(GuardFeed{.at = now - 50ms, .motors_on = true}, now);
    EXPECT_THAT(after(150ms), SizeIs(1));
}

TEST_F(GuardTest, CutsAtOnceWhenTheRobotIsStoppedOrEnds) {
    drive();
    EXPECT_THAT(guard.on_robot_stopped(), ElementsAre(Guard::Cut{"the robot's process is stopped"}));
    now += 1s;
    feed({});
    feed({.motors_on = true, .moving = true});
    EXPECT_THAT(guard.on_robot_ended(137),
                ElementsAre(Guard::Cut{"the robot's process has ended"}, Guard::End{137}));
}

TEST_F(GuardTest, LeavesARobotAloneThatIsStoppedWithItsMotorsOff) {
    start();
    feed({});
    EXPECT_THAT(guard.on_robot_stopped(), IsEmpty());
}

TEST_F(GuardTest, CutsWhenTheRobotReportsThatTheDriverDoesNotAnswer) {
    drive();
    EXPECT_THAT(feed({.motors_on = true, .driver_lost = true}), IsEmpty());
    now += 139ms;
    EXPECT_THAT(feed({.motors_on = true, .driver_lost = true}), IsEmpty()) << "it may be slow";
    now += 1ms;
    EXPECT_THAT(feed({.motors_on = true, .driver_lost = true}),
                ElementsAre(Guard::Cut{"the driver does not answer"}));
}

TEST_F(GuardTest, ForgivesADriverThatAnswersAgain) {
    drive();
    for (int i = 0; i < 10; ++i) {
        now += 100ms;
        EXPECT_THAT(feed({.motors_on = true, .driver_lost = i % 2 == 0}), IsEmpty());
    }
}

TEST_F(GuardTest, GivesADriverTimeToIntroduceItself) {
    start();
    EXPECT_THAT(feed({.driver_lost = true}), IsEmpty());
    EXPECT_THAT(after(4999ms), IsEmpty());
    EXPECT_THAT(after(1ms), ElementsAre(Guard::Cut{"the driver has not introduced itself"}));
}

TEST_F(GuardTest, RestoresADriverThatHasEndedOnceTheRobotFeedsWithoutMotion) {
    drive();
    EXPECT_THAT(guard.on_driver_ended(now), ElementsAre(Guard::Cut{"the driver has ended"}));
    EXPECT_THAT(feed({.motors_on = true}), IsEmpty()) << "a pause comes first";
    now += 1s;
    EXPECT_THAT(feed({.motors_on = true, .moving = true}), IsEmpty()) << "the robot still orders motion";
    EXPECT_THAT(feed({.motors_on = true}), ElementsAre(Guard::Restore{}));
    EXPECT_TRUE(guard.armed());
}

TEST_F(GuardTest, GivesUpAfterFiveRestorationsWithinAMinute) {
    drive();
    for (int i = 0; i < 5; ++i) {
        EXPECT_THAT(guard.on_driver_ended(now), SizeIs(1));
        now += 1s;
        EXPECT_THAT(feed({}), ElementsAre(Guard::Restore{}));
    }
    guard.on_driver_ended(now);
    now += 1s;
    EXPECT_THAT(feed({}), ElementsAre(Guard::GiveUp{"the body was cut 6 times within 60 s"}));
    now += 10min;
    EXPECT_THAT(feed({}), IsEmpty());
    EXPECT_THAT(start(), ElementsAre(Guard::Restore{})) << "a robot that starts anew has a new try";
}

TEST_F(GuardTest, TriesAgainEverySecondWhileTheBodyCannotBeRestored) {
    drive();
    guard.on_driver_ended(now);
    for (int i = 0; i < 100; ++i) {
        now += 999ms;
        EXPECT_THAT(feed({}), IsEmpty());
        now += 1ms;
        EXPECT_THAT(feed({}), ElementsAre(Guard::Restore{})) << "attempt " << i << ": it does not give up";
        guard.on_not_restored(now);
        EXPECT_FALSE(guard.armed());
        EXPECT_EQ(guard.due(), std::nullopt) << "no driver runs that could be late";
    }
}

TEST_F(GuardTest, TakesTheWayOfAChangedBodyWhileItRestores) {
    start();
    guard.set_way(GuardWay::line, now);
    EXPECT_THAT(after(10s), IsEmpty()) << "a line does not introduce itself";
    guard.on_message(GuardBye{}, now);
    EXPECT_THAT(start(), ElementsAre(Guard::Restore{}));
    guard.set_way(GuardWay::driver, now);
    EXPECT_THAT(after(5s), ElementsAre(Guard::Cut{"the driver has not introduced itself"}));
}

TEST_F(GuardTest, ForgetsNoRestorationWhenAChangedBodyCannotBeRestored) {
    drive();
    for (int i = 0; i < 5; ++i) {
        guard.on_driver_ended(now);
        now += 1s;
        feed({});
    }
    guard.set_way(GuardWay::driver, now += 1ms);
    guard.on_not_restored(now);
    now += 1s;
    EXPECT_THAT(feed({}), ElementsAre(Guard::GiveUp{"the body was cut 6 times within 60 s"}));
}

TEST_F(GuardTest, ForgetsTheDriverBeforeWithAChangedBody) {
    drive();
    guard.on_message(GuardBye{}, now);
    guard.set_way(GuardWay::driver, now);
    EXPECT_EQ(guard.due(), now + 5s);
}

TEST_F(GuardTest, ForgetsRestorationsAfterAMinute) {
    drive();
    for (int i = 0; i < 20; ++i) {
        EXPECT_THAT(guard.on_driver_ended(now), SizeIs(1));
        now += 13s;
        EXPECT_THAT(feed({}), ElementsAre(Guard::Restore{}));
    }
}

TEST_F(GuardTest, LetsTheDriverEndByItselfAfterAnOrderlyEnd) {
    drive();
    EXPECT_THAT(guard.on_message(GuardBye{}, now), ElementsAre(Guard::Release{}));
    EXPECT_THAT(guard.on_robot_ended(10), IsEmpty()) << "the driver still runs";
    EXPECT_THAT(guard.on_driver_ended(now), ElementsAre(Guard::End{10}));
}

TEST_F(GuardTest, CutsAtAnOrderlyEndUnlessRestIsConfirmed) {
    drive();
    EXPECT_THAT(
        guard.on_message(GuardBye{.at_rest = false}, now),
        ElementsAre(Guard::Cut{"the robot ends, and its driver has not confirmed rest"}, Guard::Release{}));
    EXPECT_TRUE(guard.off());
    EXPECT_THAT(guard.on_robot_ended(0), ElementsAre(Guard::End{0})) << "no driver runs any more";
}

TEST_F(GuardTest, KillsADriverThatDoesNotEnd) {
    drive();
    guard.on_message(GuardBye{}, now);
    guard.on_robot_ended(0);
    EXPECT_EQ(guard.due(), now + 500ms);
    EXPECT_THAT(after(500ms), ElementsAre(Guard::Terminate{}));
    EXPECT_EQ(guard.due(), now + 500ms);
    EXPECT_THAT(after(500ms), ElementsAre(Guard::Cut{"the driver does not end"}, Guard::End{0}));
}

TEST_F(GuardTest, TerminatesTheDriverOfEachStartOfTheRobot) {
    for (int i = 0; i < 2; ++i) {
        drive();
        guard.on_message(GuardBye{}, now);
        EXPECT_THAT(after(500ms), ElementsAre(Guard::Terminate{})) << i;
        guard.on_driver_ended(now);
    }
}

TEST_F(GuardTest, IsOffWhenItHasKilledTheDriverOfARobotThatStillEnds) {
    drive();
    guard.on_message(GuardBye{}, now);
    after(500ms);
    EXPECT_THAT(after(500ms), ElementsAre(Guard::Cut{"the driver does not end"}));
    EXPECT_TRUE(guard.off());
}

TEST_F(GuardTest, WaitsForNothingAfterTheRobotHasEnded) {
    EXPECT_THAT(guard.on_robot_ended(1), SizeIs(1));
    guard.on_end_requested(now, Guard::Ending::shutdown);
    EXPECT_EQ(guard.due(), std::nullopt);
}

TEST_F(GuardTest, KillsARobotThatDoesNotEndAndEndsWithoutIt) {
    drive();
    guard.on_end_requested(now, Guard::Ending::shutdown);
    feed({});
    EXPECT_THAT(after(14s), IsEmpty());
    feed({});
    EXPECT_THAT(after(1s), ElementsAre(Guard::Kill{}));
    feed({});
    EXPECT_THAT(after(1s), IsEmpty()) << "it may be about to end";
    feed({});
    EXPECT_THAT(after(1s), ElementsAre(Guard::Cut{"the robot's process has ended"}, Guard::End{128 + 9}));
}

TEST_F(GuardTest, SwitchesTheMotorsOffOfARobotThatDoesNotWhenASignalEndsIt) {
    drive();
    guard.on_end_requested(now, Guard::Ending::power_off);
    for (int i = 0; i < 31; ++i) {
        EXPECT_THAT(feed({.motors_on = true, .moving = true}), IsEmpty());
        EXPECT_THAT(after(100ms), IsEmpty()) << "it brakes";
    }
    feed({.motors_on = true});
    EXPECT_THAT(after(0ms),
                ElementsAre(Guard::Cut{"the robot is to end and does not switch its motors off"}));
    for (int i = 0; i < 118; ++i) {
        EXPECT_THAT(feed({}), IsEmpty()) << "it is not restored";
        EXPECT_THAT(after(100ms), IsEmpty());
    }
    EXPECT_THAT(after(100ms), ElementsAre(Guard::Kill{}));
    EXPECT_THAT(guard.on_robot_ended(128 + 9), ElementsAre(Guard::End{Guard::off_status}))
        << "a power-off: no supervisor starts it again";
}

TEST_F(GuardTest, WaitsForTheMotorsOfARobotThatEndsNoLongerThanThreeSeconds) {
    drive();
    guard.on_end_requested(now, Guard::Ending::shutdown);
    feed({.motors_on = true});
    for (int i = 0; i < 30; ++i) {
        EXPECT_TRUE(guard.armed());
        feed({.motors_on = true});
        after(100ms);
    }
    EXPECT_FALSE(guard.armed());
}

TEST_F(GuardTest, KillsARobotThatNeitherEndsNorStartsAfterItsBye) {
    start();
    guard.on_message(GuardBye{}, now);
    guard.on_driver_ended(now);
    EXPECT_EQ(guard.due(), now + 15s);
    EXPECT_THAT(after(15s), ElementsAre(Guard::Kill{}));
}

TEST_F(GuardTest, LetsARobotLiveThatStartsAnewAfterItsBye) {
    start();
    guard.on_message(GuardBye{}, now);
    guard.on_driver_ended(now);
    start();
    guard.on_message(DriverFacts{}, now);
    EXPECT_THAT(after(60s), IsEmpty());
}

TEST_F(GuardTest, EndsWithARobotThatNeverStarted) {
    EXPECT_THAT(guard.on_robot_ended(1), ElementsAre(Guard::End{1}));
}

TEST_F(GuardTest, KillsTheDriverOfARobotThatStartsAnew) {
    drive();
    guard.on_message(GuardBye{}, now);
    EXPECT_THAT(start(), ElementsAre(Guard::Cut{"the robot has started anew"}, Guard::Restore{}));
}

TEST(GuardOfALine, NeedsNoDriver) {
    Guard guard(GuardWay::line);
    const Instant now{50s};
    EXPECT_THAT(guard.on_message(GuardStart{}, now), ElementsAre(Guard::Restore{}));
    EXPECT_EQ(guard.due(), std::nullopt);
    guard.on_message(GuardFeed{.at = now, .motors_on = true}, now);
    EXPECT_THAT(guard.on_message(GuardBye{}, now), ElementsAre(Guard::Release{}));
    EXPECT_THAT(guard.on_robot_ended(0), ElementsAre(Guard::End{0}));
}

TEST(GuardOfALine, HasNoDriverThatCouldBeLost) {
    Guard guard(GuardWay::line);
    Instant now{50s};
    guard.on_message(GuardStart{}, now);
    for (int i = 0; i < 10; ++i) {
        now += 100ms;
        EXPECT_THAT(guard.on_message(GuardFeed{.at = now, .motors_on = true, .driver_lost = true}, now),
                    IsEmpty());
    }
}

/// Follows a guard through random histories, by the actions that it returns.
class GuardHistory {
public:
    explicit GuardHistory(std::uint64_t seed)
        : random_(seed), way_(random_.below(2) == 0 ? GuardWay::driver : GuardWay::line) {}

    void run() {
        for (int step = 0; step < 400 && !ended_; ++step) event();
        if (!ended_) carry_out(guard_.on_robot_ended(7));
        if (!ended_ && driver_runs_) driver_ends();
        EXPECT_TRUE(ended_);
        EXPECT_FALSE(on_);
    }

private:
    void event() {
        now_ += std::chrono::milliseconds(random_.below(20) == 0 ? random_.below(3000) : random_.below(30));
        switch (random_.below(12)) {
            case 0:
                if (random_.below(6) == 0) {
                    by_feed_.clear();
                    carry_out(guard_.on_message(GuardStart{}, now_));
                }
                break;
            case 1: carry_out(guard_.on_message(DriverFacts{}, now_)); break;
            case 2:
                if (random_.below(8) == 0)
                    carry_out(guard_.on_message(GuardBye{.at_rest = random_.below(2) == 0}, now_));
                break;
            case 3:
                if (random_.below(4) == 0) carry_out(guard_.on_robot_stopped());
                break;
            case 4:
                if (driver_runs_ && random_.below(4) == 0) driver_ends();
                break;
            default: feed();
        }
        if (ended_) return;
        carry_out(guard_.on_time(now_));
        EXPECT_EQ(guard_.armed(), on_) << "a body is on if and only if the guard watches it";
        const bool is_silent = on_ && hot_ && now_ - last_feed_ >= 200ms;
        EXPECT_FALSE(is_silent) << "no silent robot keeps its body";
        const bool is_watched = !(on_ && hot_) || guard_.due().value_or(Instant::max()) <= last_feed_ + 200ms;
        EXPECT_TRUE(is_watched);
    }

    void feed() {
        const GuardFeed feed{.at = now_, .motors_on = random_.below(2) == 0, .moving = random_.below(3) == 0};
        const bool was_on = on_;
        carry_out(guard_.on_message(feed, now_));
        if (!was_on && on_) {
            EXPECT_FALSE(feed.moving) << "nothing is restored while the robot orders motion";
            by_feed_.push_back(now_);
            EXPECT_LE(std::ranges::count_if(by_feed_, [&](Instant at) { return now_ - at < 1min; }), 5);
        }
        last_feed_ = now_;
        if (was_on && on_) hot_ = feed.motors_on || feed.moving;
    }

    void driver_ends() {
        driver_runs_ = false;
        carry_out(guard_.on_driver_ended(now_));
    }

    void carry_out(const Actions& actions) {
        for (const Guard::Action& action : actions)
            std::visit([this](const auto& each) { take(each); }, action);
    }
    void take(const Guard::Cut& cut) {
        EXPECT_FALSE(cut.reason.empty());
        on_ = driver_runs_ = hot_ = false;
    }
    void take(const Guard::Restore&) {
        EXPECT_FALSE(on_);
        EXPECT_FALSE(driver_runs_) << "one driver at a time";
        on_ = true;
        hot_ = false;
        driver_runs_ = way_ == GuardWay::driver;
    }
    void take(const Guard::Release&) { on_ = hot_ = false; }
    void take(const Guard::Terminate&) { EXPECT_FALSE(on_); }
    void take(const Guard::Kill&) { EXPECT_FALSE(ended_); }
    void take(const Guard::GiveUp&) { EXPECT_FALSE(on_); }
    void take(const Guard::End&) {
        EXPECT_FALSE(ended_) << "once";
        EXPECT_FALSE(on_);
        ended_ = true;
    }

    Random random_;
    GuardWay way_;
    Guard guard_{way_};
    Instant now_{1000s};
    Instant last_feed_{};
    bool on_ = false;
    bool hot_ = false;  ///< the last feed said that the motors are on
    bool driver_runs_ = false;
    bool ended_ = false;
    std::vector<Instant> by_feed_;  ///< restorations since the robot's start
};

TEST(GuardProperty, LeavesNoSilentRobotItsBody) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        SCOPED_TRACE(seed);
        GuardHistory(seed).run();
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace
}  // namespace caribou::motion
