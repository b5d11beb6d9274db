#include "robot/run_modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "robot/charge_watch.hpp"
#include "robot/power_table.hpp"
#include "robot/reboot_limit.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::ComMode;
using link::Refusal;
using link::RunMode;
using link::WaitReason;
using link::WakeSignal;

/// Robot modes with a clock that the test advances.
struct Modes : RunModes {
    explicit Modes(RunModeRules rules = {}, ComRules com = {}) : RunModes(rules, com) {}

    Instant now{};

    void connect() {
        std::ignore = heard(now, now);
        std::ignore = sending(true, now);
    }
    Modes& started(RunMode mode) {
        connect();
        EXPECT_TRUE(start({mode}, now));
        return *this;
    }
    void pass(Duration time) {
        now += time;
        std::ignore = tick(now);
    }
    std::optional<Refusal> refusal_of(const ModeWish& wish) {
        const auto outcome = request(wish, now);
        return outcome ? std::nullopt : std::optional(outcome.error().refusal);
    }
};

TEST(RunModes, EntersNeitherRm2NorRm3WithoutASelfCheck) {
    for (const RunMode mode : {RunMode::rm2, RunMode::rm3}) {
        Modes modes({.not_self_checked = "no result is stored"});
        modes.started(mode);
        EXPECT_EQ(modes.mode(), RunMode::rm1);
        EXPECT_EQ(modes.wait_reason(), WaitReason::requested_sleep);
        EXPECT_THAT(modes.why(), testing::HasSubstr("not self-checked"));
        for (const RunMode wanted : {RunMode::rm2, RunMode::rm3}) {
            const auto refused = modes.request({wanted}, modes.now);
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().refusal, Refusal::unsafe);
            EXPECT_EQ(refused.error().text, "not self-checked: no result is stored");
        }
        EXPECT_EQ(modes.mode(), RunMode::rm1);
        EXPECT_TRUE(modes.request({RunMode::rm0}, modes.now)) << "it can be switched off";
    }
    Modes asleep({.wake_mode = RunMode::rm2, .not_self_checked = "no result is stored"});
    EXPECT_TRUE(asleep.start({RunMode::rm1, WaitReason::timed_sleep, 5s}, asleep.now));
    asleep.pass(5s);
    EXPECT_EQ(asleep.wait_reason(), WaitReason::requested_sleep) << "it does not wake up to drive";
}

TEST(RunModes, StartsWhereItIsConfigured) {
    EXPECT_EQ(Modes().started(RunMode::rm3).mode(), RunMode::rm3);
    EXPECT_EQ(Modes().started(RunMode::rm2).mode(), RunMode::rm2);
    Modes off;
    EXPECT_TRUE(off.start({RunMode::rm0}, off.now));
    EXPECT_EQ(off.why(), "configured");
    for (const RunMode mode : {RunMode::rm1, RunMode::rm4, RunMode::rm5, RunMode::init})
        EXPECT_FALSE(Modes().start({mode}, Instant{}));
    Modes asleep({.wake_mode = RunMode::rm2});
    EXPECT_TRUE(asleep.start({RunMode::rm1, WaitReason::timed_sleep, 5s}, asleep.now));
    asleep.pass(5s);
    EXPECT_EQ(asleep.mode(), RunMode::rm2);
}

TEST(RunModes, WaitsForAStationThatServerModeLacks) {
    Modes modes;
    EXPECT_TRUE(modes.start({RunMode::rm3}, modes.now));
    EXPECT_EQ(modes.wait_reason(), WaitReason::waiting_to_receive);
    EXPECT_TRUE(modes.heard(modes.now, modes.now));  // CM2: received, but without an address for telemetry
    EXPECT_EQ(modes.wait_reason(), WaitReason::waiting_to_transmit);
    EXPECT_TRUE(modes.sending(true, modes.now));
    EXPECT_EQ(modes.mode(), RunMode::rm3);
}

TEST(RunModes, LosesItsLinkThreeSecondsAfterTheLastWord) {
    Modes modes;
    modes.started(RunMode::rm3);
    modes.pass(2999ms);
    EXPECT_EQ(modes.mode(), RunMode::rm3);
    EXPECT_EQ(modes.com_mode(), ComMode::cm3);
    modes.pass(1ms);
    EXPECT_EQ(modes.com_mode(), ComMode::cm1);
    EXPECT_EQ(modes.wait_reason(), WaitReason::waiting_to_receive);
    EXPECT_EQ(modes.heard(modes.now, modes.now)->to, RunMode::rm3);
}

TEST(RunModes, DoesNotTakeAnOldSignOfLifeForANewOne) {
    Modes modes;
    modes.started(RunMode::rm3);
    modes.pass(3500ms);
    EXPECT_FALSE(modes.heard(modes.now - 3s, modes.now));
    EXPECT_EQ(modes.wait_reason(), WaitReason::waiting_to_receive);
    EXPECT_TRUE(modes.heard(modes.now - 2s, modes.now));
    modes.pass(1s);
    EXPECT_EQ(modes.wait_reason(), WaitReason::waiting_to_receive);
}

TEST(RunModes, IsNotSteeredByAStationThatIsToldNothing) {
    Modes modes;
    modes.started(RunMode::rm3);
    EXPECT_EQ(modes.sending(false, modes.now)->reason, WaitReason::waiting_to_transmit);
    Modes blind({.allow_blind_server_mode = true});
    blind.started(RunMode::rm3);
    EXPECT_FALSE(blind.sending(false, blind.now));
    EXPECT_EQ(blind.com_mode(), ComMode::cm2);
}

TEST(RunModes, RefusesWithAReason) {
    Modes modes;
    EXPECT_EQ(modes.refusal_of({RunMode::rm2}), Refusal::busy);  // still in init
    modes.started(RunMode::rm2);
    EXPECT_EQ(modes.refusal_of({RunMode::rm2}), Refusal::illegal_transition);
    EXPECT_EQ(modes.refusal_of({RunMode::rm1}), Refusal::bad_argument);
    EXPECT_EQ(modes.refusal_of({RunMode::rm1, WaitReason::timed_sleep}), Refusal::bad_argument);
    EXPECT_EQ(modes.refusal_of({RunMode::rm1, WaitReason::charging}), Refusal::wrong_mode);
    std::ignore = modes.sending(false, modes.now);
    EXPECT_EQ(modes.refusal_of({RunMode::rm3}), Refusal::wrong_com_mode);
    EXPECT_TRUE(modes.request({RunMode::rm4}, modes.now));
    EXPECT_EQ(modes.mode(), RunMode::rm5);
    EXPECT_EQ(modes.refusal_of({RunMode::rm2}), Refusal::busy);
}

TEST(RunModes, SleepsOnlyIfSomethingCouldWakeIt) {
    Modes deaf({}, {.wanted = {.sending = true, .receiving = false}});
    deaf.started(RunMode::rm2);
    EXPECT_EQ(deaf.refusal_of({RunMode::rm1, WaitReason::requested_sleep}), Refusal::nothing_would_wake);
    EXPECT_EQ(deaf.refusal_of({RunMode::rm1, WaitReason::waiting_to_receive}), Refusal::nothing_would_wake);
    EXPECT_EQ(deaf.refusal_of({RunMode::rm1, WaitReason::requested_sleep, 1h}), std::nullopt);
    Modes listening;
    listening.started(RunMode::rm2);
    EXPECT_EQ(listening.refusal_of({RunMode::rm1, WaitReason::requested_sleep}), std::nullopt);
}

TEST(RunModes, WakesBySignalsOfItsReasonOnly) {
    Modes modes;
    modes.started(RunMode::rm2);
    EXPECT_TRUE(modes.request({RunMode::rm1, WaitReason::timed_sleep, 10s}, modes.now));
    EXPECT_FALSE(modes.on_signal(WakeSignal::fully_charged));
    EXPECT_EQ(modes.due(modes.now), modes.now + 3s);  // the link, first
    modes.pass(10s);
    EXPECT_EQ(modes.mode(), RunMode::rm2);
    modes.connect();
    EXPECT_TRUE(modes.request({RunMode::rm1, WaitReason::requested_sleep}, modes.now));
    EXPECT_EQ(modes.request({RunMode::rm3}, modes.now)->why, "ServerRequested");
    modes.set_charger(true);
    EXPECT_TRUE(modes.on_docked(modes.now));
    EXPECT_EQ(modes.on_signal(WakeSignal::power_off)->to, RunMode::rm0);
    EXPECT_FALSE(modes.on_signal(WakeSignal::power_off)) << "it is shutting down already";
}

TEST(RunModes, SwitchOffOnPowerOffInEveryMode) {
    for (const RunMode mode : {RunMode::rm2, RunMode::rm3}) {
        Modes modes;
        modes.connect();
        modes.started(mode);
        const auto change = modes.on_signal(WakeSignal::power_off);
        ASSERT_TRUE(change);
        EXPECT_EQ(change->to, RunMode::rm0);
        EXPECT_EQ(change->why, "PowerOff");
    }
}

TEST(RunModes, DocksFromServerModeAndReturnsToIt) {
    Modes modes;
    modes.connect();
    modes.started(RunMode::rm3);
    EXPECT_EQ((**modes.begin_docking("the battery is low")).to, RunMode::rm2);
    EXPECT_EQ(modes.end_docking("it failed")->to, RunMode::rm3);
    EXPECT_FALSE(modes.end_docking("it failed")) << "it is over";

    EXPECT_TRUE(modes.begin_docking("once more"));
    EXPECT_EQ(modes.on_docked(modes.now)->reason, WaitReason::charging);
    EXPECT_EQ(modes.begin_docking("while it charges").error().refusal, link::Refusal::wrong_mode);
    EXPECT_EQ(modes.on_signal(WakeSignal::fully_charged)->to, RunMode::rm3);

    EXPECT_TRUE(modes.begin_docking("once more"));
    modes.pass(5s);  // the link is lost
    EXPECT_EQ(modes.mode(), RunMode::rm2);
    EXPECT_EQ(modes.end_docking("it failed")->reason, WaitReason::waiting_to_receive);
}

TEST(RunModes, DocksInAutonomyWithoutAChange) {
    Modes modes;
    modes.started(RunMode::rm2);
    EXPECT_EQ(modes.begin_docking("asked for").value(), std::nullopt);
    EXPECT_FALSE(modes.end_docking("it failed"));
    EXPECT_EQ(modes.mode(), RunMode::rm2);
}

TEST(RunModes, GoesBackToWhereItCameFromAfterCharging) {
    Modes modes;
    modes.started(RunMode::rm2);
    EXPECT_EQ(modes.on_docked(modes.now)->reason, WaitReason::charging);
    EXPECT_EQ(modes.on_signal(WakeSignal::fully_charged)->to, RunMode::rm2);
    EXPECT_TRUE(modes.on_docked(modes.now));
    EXPECT_EQ(modes.on_charger_lost()->why, "the charger was lost");
    EXPECT_EQ(modes.mode(), RunMode::rm2);
    EXPECT_FALSE(modes.on_charger_lost());
}

TEST(RunModes, LetsMoveWhoseModeItIs) {
    EXPECT_EQ(permit_in(RunMode::rm2),
              (motion::MotionPermit{.motors = true, .sources = {motion::MotionSource::ai}}));
    EXPECT_EQ(
        permit_in(RunMode::rm3),
        (motion::MotionPermit{
            .motors = true, .sources = {motion::MotionSource::operator_, motion::MotionSource::autopilot}}));
    for (const RunMode mode : {RunMode::rm0, RunMode::rm1, RunMode::rm5, RunMode::init})
        EXPECT_EQ(permit_in(mode), motion::MotionPermit{});
}

/// Applies a random event to the modes.
void happen(Modes& modes) {
    const auto mode = static_cast<RunMode>(*rc::gen::inRange(0, 7));
    ModeWish wish{mode, {}, {}};
    if (const int reason = *rc::gen::inRange(0, 6); reason < 5) wish.reason = static_cast<WaitReason>(reason);
    if (const int seconds = *rc::gen::inRange(0, 9); seconds > 0) wish.time = seconds * 1s;
    switch (*rc::gen::inRange(0, 11)) {
        case 0: std::ignore = modes.start(wish, modes.now); break;
        case 1: std::ignore = modes.heard(modes.now, modes.now); break;
        case 2: std::ignore = modes.sending(*rc::gen::arbitrary<bool>(), modes.now); break;
        case 3: std::ignore = modes.deaf(modes.now); break;
        case 4: std::ignore = modes.on_signal(static_cast<WakeSignal>(*rc::gen::inRange(0, 6))); break;
        case 5: std::ignore = modes.on_docked(modes.now); break;
        case 6: std::ignore = modes.on_charger_lost(); break;
        case 7: modes.set_charger(*rc::gen::arbitrary<bool>()); break;
        case 8: std::ignore = modes.listen(*rc::gen::arbitrary<bool>(), modes.now); break;
        case 9: modes.pass(*rc::gen::inRange(0, 40) * 100ms); break;
        default: {
            const auto outcome = modes.request(wish, modes.now);
            if (!outcome) RC_ASSERT(!outcome.error().text.empty());
        }
    }
}

bool is_legal(RunMode from, RunMode to) {
    if (from == to) return true;
    switch (from) {
        case RunMode::init: return to != RunMode::rm4;
        case RunMode::rm1:
        case RunMode::rm2:
        case RunMode::rm3: return to != RunMode::rm4 && to != RunMode::init;
        default: return false;
    }
}

RC_GTEST_PROP(RunModesRules, HoldWhateverHappens, ()) {
    Modes modes({.allow_blind_server_mode = *rc::gen::arbitrary<bool>()},
                {.wanted = {*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()}});
    if (*rc::gen::arbitrary<bool>()) modes.connect();
    for (int i = *rc::gen::inRange(0, 40); i > 0; --i) {
        const RunMode before = modes.mode();
        happen(modes);
        RC_ASSERT(is_legal(before, modes.mode()));
        RC_ASSERT(!link::is_invalid_pair(modes.mode(), modes.com_mode()));
        RC_ASSERT(modes.wait_reason().has_value() == (modes.mode() == RunMode::rm1));
        RC_ASSERT(!modes.why().empty());
        RC_ASSERT(permit_in(modes.mode()).motors ==
                  (modes.mode() == RunMode::rm2 || modes.mode() == RunMode::rm3));
        std::ignore = modes.tick(modes.now);
        const auto due = modes.due(modes.now);
        const bool lies_ahead = !due || *due > modes.now;
        RC_ASSERT(lies_ahead);
    }
}

TEST(PowerTable, KeepsMotorsOffAndTheListenerUpInEveryWait) {
    for (int i = 0; i < 5; ++i) {
        const auto reason = static_cast<WaitReason>(i);
        EXPECT_FALSE(is_powered(reason, Subsystem::motors));
        EXPECT_FALSE(is_powered(reason, Subsystem::ai));
        EXPECT_TRUE(is_powered(reason, Subsystem::receiver));
    }
    const std::string expected[5] = {"....ttr", "...sttr", "...sttr", "......r", "....ttr"};
    constexpr std::string_view letters = "macsttr";
    for (std::size_t i = 0; i < 5; ++i) {
        std::string row;
        for (std::size_t j = 0; j < subsystem_count; ++j)
            row += is_powered(static_cast<WaitReason>(i), static_cast<Subsystem>(j)) ? letters[j] : '.';
        EXPECT_EQ(row, expected[i]) << link::to_string(static_cast<WaitReason>(i));
    }
    EXPECT_TRUE(is_powered(RunMode::rm2, {}, Subsystem::ai));
    EXPECT_FALSE(is_powered(RunMode::rm3, {}, Subsystem::ai));
    EXPECT_FALSE(is_powered(RunMode::rm0, {}, Subsystem::receiver));
}

TEST(ChargeWatch, TellsContactAndCurrentFromATouch) {
    ChargeWatch watch({});
    Instant now{};
    const motion::BatteryReading low{.level = 0.3};
    const auto read = [&](motion::ChargerReading charger, bool charging = false) {
        now += 500ms;
        return watch.on_reading(low, charger, charging, now);
    };
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(read({.contact = true, .amperes = 0}));
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(read({.contact = true, .amperes = 1}));
    EXPECT_EQ(read({.contact = true, .amperes = 1}), ChargeWatch::Event::docked);
    // Woken by the station, it does not dock again at its present place.
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(read({.contact = true, .amperes = 1}));
    EXPECT_FALSE(read({}));
    EXPECT_FALSE(read({.contact = true, .amperes = 1}));
}

TEST(ChargeWatch, TakesTimeToBelieveThatItIsFull) {
    ChargeWatch watch({});
    Instant now{};
    std::optional<ChargeWatch::Event> event;
    for (int i = 0; i < 200 && !event; ++i) {
        now += 100ms;
        const bool flickers = i == 50;
        event = watch.on_reading({.level = 0.97, .amperes = flickers ? 1.0 : 0.1},
                                 {.contact = true, .amperes = 0.1}, true, now);
    }
    EXPECT_EQ(event, ChargeWatch::Event::fully_charged);
    EXPECT_EQ(now, Instant{} + 15200ms);
}

TEST(ChargeWatch, ReportsAChargerThatIsGone) {
    ChargeWatch watch({});
    Instant now{};
    EXPECT_FALSE(watch.on_reading({.level = 0.5}, {}, true, now));
    EXPECT_EQ(watch.on_reading({.level = 0.5}, {}, true, now + 5s), ChargeWatch::Event::charger_lost);
}

TEST(RebootLimit, EndsALoopAndForgetsWhatIsLongAgo) {
    const RebootLimit::Rules rules{.most = 3, .within = 10min};
    Instant now{1h};
    std::string history;
    for (int i = 0; i < 3; ++i) {
        RebootLimit limit(rules, history);
        EXPECT_TRUE(limit.reboot(now += 1s));
        history = limit.history();
    }
    EXPECT_FALSE(RebootLimit(rules, history).reboot(now));
    EXPECT_TRUE(RebootLimit(rules, history).reboot(now + 11min));
    for (const char* nonsense : {"", "x", "1 2 3 4 5 6 7 8 9", "99999999999999999999", "1,2"})
        EXPECT_EQ(RebootLimit(rules, nonsense).count(), 0U) << nonsense;
}

TEST(RebootLimit, PassesOnWhetherTheRobotHadAStation) {
    for (const bool has_station : {false, true}) {
        RebootLimit before({}, "");
        EXPECT_FALSE(before.had_station());
        EXPECT_TRUE(before.reboot(Instant(1s), has_station));
        const RebootLimit after({}, before.history());
        EXPECT_EQ(after.had_station(), has_station);
        EXPECT_EQ(after.count(), 1U);
    }
    EXPECT_FALSE(RebootLimit({}, "x station").had_station());
}

}  // namespace
}  // namespace caribou::robot
