#include "motion/motion_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A robot that an operator drives straight ahead, and the reports that a test makes of it.
struct MotionAuditTest : testing::Test {
    MotionAuditTest() {
        report.at = Instant(10s);
        report.winner = MotionSource::operator_;
        report.permit = {.motors = true, .sources = {MotionSource::operator_}};
    }
    /// Reports this speed after a period.
    void drive(double speed) {
        drive({speed, speed}, speed > 0 ? MovementClass::move_fw : MovementClass::halt);
    }
    void drive(WheelSpeeds speeds, MovementClass movement) {
        report.at += settings.period;
        report.driven = speeds;
        report.movement = movement;
        ++report.steps;
        audit.observe(report);
    }
    /// Gains speed as fast as it may, up to this one.
    void reach(double speed) {
        while (report.driven.right < speed)
            drive(std::min(speed, report.driven.right + settings.acceleration * to_seconds(settings.period)));
    }
    double brake(double deceleration) const {
        return std::max(0.0, report.driven.right - deceleration * to_seconds(settings.period));
    }

    MotionSettings settings;
    MotionReport report;
    MotionAudit audit{settings};
};

TEST_F(MotionAuditTest, AllowsWhatAnOperatorOrders) {
    drive(0);
    reach(settings.level_3);
    while (report.driven.right > 0) drive(brake(settings.deceleration));
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(MotionAuditTest, FindsSpeedBeyondTheHighestLevel) {
    drive(0);
    reach(settings.level_3 * 1.01);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("a wheel is too fast")));
}

TEST_F(MotionAuditTest, FindsAWheelThatGainsSpeedTooFast) {
    drive(0);
    drive(settings.acceleration * to_seconds(settings.period) * 1.1);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("gains speed too fast")));
}

TEST_F(MotionAuditTest, FindsSpeedThatNobodyMayGain) {
    drive(0);
    reach(0.1);
    for (const auto& forbid : std::initializer_list<void (*)(MotionReport&)>{
             [](MotionReport& r) { r.winner.reset(); }, [](MotionReport& r) { r.permit.motors = false; },
             [](MotionReport& r) { r.permit.sources = {}; },
             [](MotionReport& r) { r.stop = StopCause::shutdown; },
             [](MotionReport& r) { r.faults.insert(MotionFault::battery_critical); }}) {
        MotionAudit fresh{settings};
        MotionReport later = report;
        fresh.observe(later);
        forbid(later);
        later.at += settings.period;
        later.driven = {0.11, 0.11};
        fresh.observe(later);
        EXPECT_THAT(fresh.findings(), testing::Contains(HasSubstr("speed is gained by nobody")));
    }
}

TEST_F(MotionAuditTest, FindsMotionThatNobodyEnds) {
    drive(0);
    reach(0.1);
    report.winner.reset();
    const Instant end = report.at + from_seconds(settings.level_3 / settings.deceleration);
    while (report.at < end) drive(0.1);
    EXPECT_THAT(audit.findings(), IsEmpty());
    for (int i = 0; i < 5; ++i) drive(0.1);
    EXPECT_THAT(audit.findings(), testing::Contains(HasSubstr("still moves, for nobody")));
}

TEST_F(MotionAuditTest, FindsMotionInSpiteOfAFullStop) {
    drive(0);
    reach(0.1);
    report.stop = StopCause::operator_;
    drive(0.1);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("in spite of a full stop")));
}

TEST_F(MotionAuditTest, FindsAWheelThatBrakesTooHardExceptInAFullStop) {
    drive(0);
    reach(0.3);
    MotionAudit stopped = audit;
    drive(brake(settings.stop_deceleration * 1.5));
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("brakes too hard")));
    report.stop = StopCause::operator_;
    report.driven = {};
    report.movement = MovementClass::halt;
    stopped.observe(report);
    EXPECT_THAT(stopped.findings(), IsEmpty());
}

TEST_F(MotionAuditTest, FindsAClassThatIsNotTheDrivenOne) {
    drive(0);
    drive({0.01, 0.01}, MovementClass::move_bw);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("not the driven one")));
}

}  // namespace
}  // namespace caribou::motion
