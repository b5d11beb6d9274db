#include "adapters/body/propulsion_thread.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <set>
#include <vector>

#include "adapters/body/locked_body.hpp"
#include "motion/null_body.hpp"
#include "platform/system_clock.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using motion::MotionRefusal;
using motion::MotionSource;
using motion::StopCause;

/// A body whose calls can be made to hang, and whose changes a test can wait for.
class WatchedBody final : public motion::Body {
public:
    static constexpr auto limit = 60s;

    template <class Condition>
    bool comes(Condition condition) {
        std::unique_lock lock(mutex_);
        return news_.wait_for(lock, limit, condition);
    }
    void set_hangs(bool hangs) {
        change([&] { hangs_ = hangs; });
    }
    void set_reads_hang(bool hang) {
        change([&] { reads_hang_ = hang; });
    }
    /// If false, cut_motors cuts but returns an error.
    void set_confirms(bool confirms) {
        change([&] { confirms_ = confirms; });
    }
    void set_confirms_rest(bool confirms) {
        change([&] { confirms_rest_ = confirms; });
    }
    /// If true, cut_motors does not return.
    void set_cut_hangs(bool hangs) {
        change([&] { cut_hangs_ = hangs; });
    }

    motion::WheelSpeeds driven{};
    bool motors_on = false;
    int cuts = 0;
    bool hanging = false;

    const motion::BodyPlan& plan() const override { return plan_; }
    motion::SensorReading read(std::size_t) override {
        hang_while(reads_hang_);
        return false;
    }
    Result<void> enable_motors(bool enabled) override {
        change([&] { motors_on = enabled; });
        return {};
    }
    bool motors_enabled() override {
        const std::lock_guard lock(mutex_);
        return motors_on;
    }
    void drive(motion::WheelSpeeds speeds) override {
        change([&] { driven = speeds; });
        hang_while(hangs_);
    }
    bool confirms_rest() override {
        const std::lock_guard lock(mutex_);
        return confirms_rest_;
    }
    Result<void> cut_motors() override {
        change([&] {
            motors_on = false;
            ++cuts;
        });
        std::unique_lock lock(mutex_);
        news_.wait(lock, [&] { return !cut_hangs_; });
        if (!confirms_) return fail(Code::io, "the line reads back as high");
        return {};
    }
    std::string motor_fault() override { return {}; }
    Result<void> set_power(std::size_t, bool) override { return {}; }
    void set_lights(motion::BodyLights) override {}
    std::vector<motion::PartCheck> self_check() override { return {}; }

private:
    void hang_while(const bool& flag) {
        change([&] { hanging = flag; });
        std::unique_lock lock(mutex_);
        news_.wait(lock, [&] { return !flag; });
        hanging = false;
    }
    template <class Change>
    void change(Change make) {
        {
            const std::lock_guard lock(mutex_);
            make();
        }
        news_.notify_all();
    }

    motion::BodyPlan plan_{
        .sensors = {{.name = "stop", .kind = motion::SensorKind::emergency_stop, .required = true}}};
    std::mutex mutex_;
    std::condition_variable news_;
    bool hangs_ = false;
    bool reads_hang_ = false;
    bool confirms_ = true;
    bool confirms_rest_ = true;
    bool cut_hangs_ = false;
};

/// Records the events of propulsion. Thread-safe.
class Ear final : public motion::MotionEvents {
public:
    void on_answer(const motion::MotionAnswer& answer) override {
        const std::lock_guard lock(mutex_);
        answers_[answer.id].push_back(answer.refusal);
        news_.notify_all();
    }
    void on_report(const motion::MotionReport& report) override {
        const std::lock_guard lock(mutex_);
        report_ = report;
        news_.notify_all();
    }
    /// Returns the only answer to this order; fails the test if there is none.
    std::optional<MotionRefusal> answer(std::uint64_t id) {
        std::unique_lock lock(mutex_);
        const bool came = news_.wait_for(lock, WatchedBody::limit, [&] { return answers_.contains(id); });
        EXPECT_TRUE(came && answers_[id].size() == 1) << id;
        return came ? answers_[id].front() : std::nullopt;
    }
    template <class Condition>
    bool reports(Condition condition) {
        std::unique_lock lock(mutex_);
        return news_.wait_for(lock, WatchedBody::limit, [&] { return condition(report_); });
    }

private:
    std::mutex mutex_;
    std::condition_variable news_;
    std::map<std::uint64_t, std::vector<std::optional<MotionRefusal>>> answers_;
    motion::MotionReport report_;
};

/// A thread-safe log.
class SharedLog final : public Log {
public:
    void write(Level level, std::string_view text) override {
        const std::lock_guard lock(mutex_);
        kept_.write(level, text);
    }
    bool mentions(std::string_view text) {
        const std::lock_guard lock(mutex_);
        return kept_.mentions(text);
    }

private:
    std::mutex mutex_;
    MemoryLog kept_;
};

class PropulsionThreadTest : public testing::Test {
protected:
    void SetUp() override {
        propulsion.permit({true, {MotionSource::operator_}});
        ASSERT_TRUE(propulsion.start());
    }
    std::uint64_t order(int level, Duration time_to_live = 2s) {
        propulsion.order({MotionSource::operator_, motion::MovementCommand::of(level, level).value(),
                          time_to_live, false, ++last_id});
        return last_id;
    }

    SharedLog log;
    WatchedBody body;
    Ear ear;
    /// Much longer than on a robot, for busy test machines.
    motion::MotionSettings settings{.stall_after = 1s};
    PropulsionThread propulsion{body, settings, ear, log};
    std::uint64_t last_id = 0;
};

TEST_F(PropulsionThreadTest, DrivesWhatAnotherThreadOrdersAndIsSeenUnderItsName) {
    EXPECT_EQ(ear.answer(order(1)), std::nullopt);
    EXPECT_TRUE(body.comes([&] { return body.driven.right > 0.0; }));
    std::set<std::string> names;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(task.path() / "comm") >> std::ws, name);
        names.insert(name);
    }
    EXPECT_TRUE(names.contains("propulsion"));
    EXPECT_TRUE(names.contains("watchdog"));
    propulsion.stop();
    EXPECT_FALSE(body.motors_on);
}

TEST_F(PropulsionThreadTest, StopsBeforeEverythingThatWaitsAndVoidsIt) {
    order(1);
    ASSERT_TRUE(body.comes([&] { return body.driven.right > 0.0; }));
    body.set_hangs(true);
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    std::vector<std::uint64_t> waiting;
    for (std::size_t i = 0; i < PropulsionThread::max_orders; ++i) waiting.push_back(order(2));
    EXPECT_EQ(ear.answer(order(2)), MotionRefusal::busy);
    propulsion.release_stop();
    propulsion.full_stop(StopCause::operator_);
    body.set_hangs(false);
    for (const std::uint64_t id : waiting) EXPECT_EQ(ear.answer(id), MotionRefusal::stop_latched);
    EXPECT_TRUE(ear.reports([](const auto& report) { return report.stop == StopCause::operator_; }));
    EXPECT_TRUE(body.comes([&] { return body.driven == motion::WheelSpeeds{}; }));
    propulsion.release_stop();
    EXPECT_TRUE(ear.reports([](const auto& report) { return !report.stop; }));
}

TEST_F(PropulsionThreadTest, IsCutByItsWatchdogWhenItHangsAndDoesNotMoveAgain) {
    order(1);
    ASSERT_TRUE(body.comes([&] { return body.driven.right > 0.0; }));
    body.set_hangs(true);
    EXPECT_TRUE(body.comes([&] { return body.cuts == 1; }));
    EXPECT_FALSE(body.motors_on);
    body.set_hangs(false);
    EXPECT_TRUE(ear.reports(
        [](const auto& report) { return report.faults.contains(motion::MotionFault::missed_deadlines); }));
    EXPECT_EQ(ear.answer(order(1)), MotionRefusal::faulted);
    EXPECT_EQ(propulsion.watchdog().cuts(), 1);
    propulsion.stop();
    EXPECT_TRUE(log.mentions("propulsion was silent"));
}

TEST_F(PropulsionThreadTest, StopsByItselfWhenNobodyListensToIt) {
    body.set_hangs(true);
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    for (std::size_t i = 0; i <= PropulsionThread::max_requests; ++i) propulsion.link_lost();
    body.set_hangs(false);
    EXPECT_TRUE(ear.reports([](const auto& report) { return report.stop == StopCause::overload; }));
}

TEST_F(PropulsionThreadTest, TakesTheLatestZonesHoweverManyWaited) {
    body.set_hangs(true);
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    const std::vector<Vec2> around{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (std::size_t i = 0; i <= 2 * PropulsionThread::max_requests; ++i)
        propulsion.set_zones(
            {std::make_shared<const std::vector<Zone>>(1, Zone{.name = "z", .corners = around}),
             Pose{i < PropulsionThread::max_requests ? 100.0 : -0.5, 0, 0}});
    body.set_hangs(false);
    EXPECT_EQ(ear.answer(order(1)), std::nullopt) << "no overload";
    EXPECT_TRUE(ear.reports(
        [](const auto& report) { return report.reasons.contains(motion::MotionReason::zone_stop); }));
}

TEST_F(PropulsionThreadTest, IsReleasedRightAfterItsSupervisorRunsAgain) {
    propulsion.supervisor_alive();
    ASSERT_TRUE(ear.reports([](const auto& report) { return report.stop == StopCause::main_silent; }));
    propulsion.supervisor_alive();
    propulsion.release_stop();
    EXPECT_TRUE(ear.reports([](const auto& report) { return !report.stop; }));
    // What was latched again by mistake would stay.
    EXPECT_EQ(ear.answer(order(1)), std::nullopt);
    EXPECT_TRUE(body.comes([&] { return body.driven.right > 0.0; }));
}

/// A guard that keeps what it was fed.
class WatchedGuard final : public motion::MotionGuard {
public:
    motion::GuardState exchange(const motion::GuardFeed& feed) override {
        const std::lock_guard lock(mutex_);
        threads.insert(std::this_thread::get_id());
        last = feed;
        ++feeds;
        news_.notify_all();
        return state_;
    }
    void bye(bool at_rest) override {
        ++byes;
        was_at_rest = at_rest;
    }
    template <class Condition>
    bool comes(Condition condition) {
        std::unique_lock lock(mutex_);
        return news_.wait_for(lock, WatchedBody::limit, condition);
    }
    void set_state(motion::GuardState state) {
        const std::lock_guard lock(mutex_);
        state_ = state;
    }

    std::set<std::thread::id> threads;
    motion::GuardFeed last{};
    int feeds = 0;
    int byes = 0;
    bool was_at_rest = false;

private:
    std::mutex mutex_;
    std::condition_variable news_;
    motion::GuardState state_ = motion::GuardState::watches;
};

class GuardedPropulsionTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(propulsion.start());
        ASSERT_TRUE(guard.comes([&] { return guard.feeds > 0; }));
        EXPECT_FALSE(guard.last.motors_on);
        propulsion.permit({true, {MotionSource::operator_}});
        propulsion.order({MotionSource::operator_, motion::MovementCommand::of(1, 1).value(), 2s, false, 1});
        ASSERT_TRUE(guard.comes([&] { return guard.last.moving; }));
    }

    SharedLog log;
    WatchedBody body;
    Ear ear;
    WatchedGuard guard;
    motion::MotionSettings settings{.stall_after = 1s};
    PropulsionThread propulsion{body, settings, ear, log, &guard};
};

TEST_F(GuardedPropulsionTest, FeedsTheGuardFromItsOwnThread) {
    EXPECT_TRUE(guard.last.motors_on);
    propulsion.stop();
    EXPECT_EQ(guard.threads.size(), 1U);
    EXPECT_FALSE(guard.threads.contains(std::this_thread::get_id()));
    EXPECT_EQ(guard.byes, 1);
    EXPECT_TRUE(guard.was_at_rest);
    EXPECT_FALSE(body.motors_on);
}

TEST_F(GuardedPropulsionTest, TellsTheGuardThatTheBodyHasNotConfirmedRest) {
    body.set_confirms_rest(false);
    propulsion.stop();
    EXPECT_EQ(guard.byes, 1);
    EXPECT_FALSE(guard.was_at_rest);
}

TEST_F(GuardedPropulsionTest, FeedsNothingWhileACallOfTheBodyHangs) {
    body.set_hangs(true);
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    const int feeds = guard.feeds;
    EXPECT_TRUE(body.comes([&] { return body.cuts == 1; })) << "a second later";
    EXPECT_EQ(guard.feeds, feeds);
    body.set_hangs(false);
}

TEST_F(GuardedPropulsionTest, StopsForGoodWhenTheGuardIsSilent) {
    guard.set_state(motion::GuardState::silent);
    EXPECT_TRUE(ear.reports([](const auto& report) {
        return report.faults.contains(motion::MotionFault::guard_silent) &&
               report.driven == motion::WheelSpeeds{};
    }));
    EXPECT_TRUE(body.comes([&] { return !body.motors_on; }));
}

TEST_F(GuardedPropulsionTest, OrdersRestWhileTheGuardHasCutTheBody) {
    guard.set_state(motion::GuardState::cut);
    EXPECT_TRUE(ear.reports([](const auto& report) {
        return report.reason == motion::MotionReason::guard_cut && report.driven == motion::WheelSpeeds{};
    }));
    guard.set_state(motion::GuardState::watches);
    EXPECT_TRUE(
        ear.reports([](const auto& report) { return report.reason == motion::MotionReason::no_order; }));
}

/// Propulsion on a body with a lock, as composed by `caribou robot`.
class LockedPropulsionTest : public testing::Test {
protected:
    void SetUp() override {
        propulsion.permit({true, {MotionSource::operator_}});
        ASSERT_TRUE(propulsion.start());
        propulsion.order({MotionSource::operator_, motion::MovementCommand::of(1, 1).value(), 2s, false, 1});
        ASSERT_TRUE(body.comes([&] { return body.driven.right > 0.0; }));
    }
    bool has_fault(motion::MotionFault fault) const { return propulsion.report().faults.contains(fault); }
    template <class Condition>
    static bool comes(Condition condition) {
        const SystemClock clock;
        for (const Instant end = clock.now() + WatchedBody::limit; clock.now() < end;
             std::this_thread::yield())
            if (condition()) return true;
        return false;
    }

    SharedLog log;
    WatchedBody body;
    LockedBody locked{body};
    Ear ear;
    motion::MotionSettings settings{.stall_after = 1s};
    PropulsionThread propulsion{locked, settings, ear, log};
};

TEST_F(LockedPropulsionTest, IsCutWhileADriveHangs) {
    body.set_hangs(true);
    EXPECT_TRUE(body.comes([&] { return body.cuts > 0 && !body.motors_on; })) << "it still hangs";
    EXPECT_TRUE(comes([&] { return has_fault(motion::MotionFault::missed_deadlines); }));
    EXPECT_FALSE(has_fault(motion::MotionFault::motors_not_cut));
    propulsion.full_stop(StopCause::operator_);
    EXPECT_EQ(propulsion.report().stop, StopCause::operator_) << "though propulsion cannot confirm it";
    body.set_hangs(false);
    EXPECT_TRUE(ear.reports([](const auto& report) { return report.stop == StopCause::operator_; }));
    EXPECT_FALSE(body.motors_on);
}

TEST_F(LockedPropulsionTest, IsCutWhileAReadOfAnotherThreadHangs) {
    body.set_reads_hang(true);
    auto reader = std::async(std::launch::async, [&] { return locked.read(0); });
    EXPECT_TRUE(body.comes([&] { return body.cuts > 0 && !body.motors_on; })) << "it still hangs";
    body.set_reads_hang(false);
    reader.get();
    EXPECT_TRUE(comes([&] {
        return has_fault(motion::MotionFault::missed_deadlines) ||
               has_fault(motion::MotionFault::motor_driver);
    }));
    EXPECT_FALSE(locked.motors_enabled());
}

TEST_F(LockedPropulsionTest, ReportsACutThatIsNotConfirmedAndRepeatsIt) {
    body.set_confirms(false);
    body.set_hangs(true);
    EXPECT_TRUE(body.comes([&] { return body.cuts > 1; }));
    EXPECT_TRUE(has_fault(motion::MotionFault::motors_not_cut));
    EXPECT_TRUE(comes([&] { return log.mentions("NOT confirmed"); }));
    EXPECT_FALSE(log.mentions("the motors are cut"));
    body.set_confirms(true);
    EXPECT_TRUE(comes([&] { return log.mentions("the motors are cut"); }));
    EXPECT_FALSE(has_fault(motion::MotionFault::motors_not_cut));
    body.set_hangs(false);
}

TEST_F(LockedPropulsionTest, ReportsACutThatDoesNotReturn) {
    body.set_cut_hangs(true);
    body.set_hangs(true);
    EXPECT_TRUE(comes([&] { return has_fault(motion::MotionFault::motors_not_cut); }));
    EXPECT_FALSE(log.mentions("the motors are cut"));
    body.set_cut_hangs(false);
    body.set_hangs(false);
}

TEST_F(LockedPropulsionTest, IsWatchedUntilItsMotorsAreOff) {
    body.set_hangs(true);
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    auto stops = std::async(std::launch::async, [&] { propulsion.stop(); });
    EXPECT_TRUE(body.comes([&] { return body.cuts > 0 && !body.motors_on; })) << "it still hangs";
    body.set_hangs(false);
    stops.get();
}

TEST(LockedBody, LetsOtherCallsFailWhileOneHangs) {
    WatchedBody body;
    LockedBody locked(body);
    ASSERT_TRUE(locked.enable_motors(true));
    body.set_hangs(true);
    auto hangs = std::async(std::launch::async, [&] { locked.drive({0.1, 0.1}); });
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    EXPECT_EQ(locked.read(0), motion::SensorReading(motion::NoReading{}));
    EXPECT_EQ(locked.motor_fault(), "a call of the body hangs");
    EXPECT_FALSE(locked.set_power(0, false));
    EXPECT_FALSE(locked.self_check().front().outcome);
    EXPECT_EQ(body.cuts, 0);
    EXPECT_FALSE(locked.enable_motors(true)) << "it cuts them instead";
    EXPECT_EQ(body.cuts, 1);
    locked.drive({0.2, 0.2});
    EXPECT_EQ(body.cuts, 2);
    body.set_hangs(false);
    hangs.get();
    EXPECT_EQ(locked.motor_fault(), "");
}

TEST(LockedBody, KeepsTheReadingOfAnEmergencyStopWhileAnotherCallHangs) {
    WatchedBody body;
    LockedBody locked(body);
    ASSERT_TRUE(locked.enable_motors(true));
    ASSERT_EQ(locked.read(0), motion::SensorReading(false));
    body.set_hangs(true);
    auto hangs = std::async(std::launch::async, [&] { locked.drive({0.1, 0.1}); });
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    EXPECT_EQ(locked.read(0), motion::SensorReading(false)) << "no reading would latch a stop";
    body.set_hangs(false);
    hangs.get();
}

TEST(LockedBody, AppliesADeferredCutWithItsTimeBeforeTheBodyIsUsedAgain) {
    const SystemClock clock;
    WatchedBody body;
    std::vector<Instant> cuts;
    LockedBody locked(body, {clock, [&](Instant at) { cuts.push_back(at); }});
    body.set_hangs(true);
    auto hangs = std::async(std::launch::async, [&] { locked.drive({0.1, 0.1}); });
    ASSERT_TRUE(body.comes([&] { return body.hanging; }));
    EXPECT_TRUE(locked.cut_motors());
    const Instant cut_by = clock.now();
    EXPECT_TRUE(cuts.empty());
    body.set_hangs(false);
    hangs.get();
    ASSERT_EQ(cuts.size(), 1U);
    EXPECT_LE(cuts.front(), cut_by);
    EXPECT_TRUE(locked.cut_motors());
    EXPECT_EQ(cuts.size(), 2U) << "at once, if no call is under way";
    EXPECT_EQ(body.cuts, 0);
}

}  // namespace
}  // namespace caribou
