#include "motion/motion_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace caribou::motion {
namespace {

double value(const MotionSettings& settings, const MotionSetting::Member& member) {
    struct Read {
        const MotionSettings& settings;
        double operator()(double MotionSettings::* m) const { return settings.*m; }
        double operator()(Duration MotionSettings::* m) const { return to_seconds(settings.*m); }
        double operator()(bool MotionSettings::* m) const { return settings.*m ? 1.0 : 0.0; }
    };
    return std::visit(Read{settings}, member);
}

TEST(MotionSettings, HaveDefaultsWithinTheirRangesThatDoNotContradict) {
    const MotionSettings defaults;
    std::set<std::string_view> names;
    for (const MotionSetting& setting : motion_setting_table()) {
        EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
        EXPECT_GE(value(defaults, setting.member), setting.low) << setting.name;
        EXPECT_LE(value(defaults, setting.member), setting.high) << setting.name;
    }
    EXPECT_THAT(contradictions(defaults, BodyPlan{}), testing::IsEmpty());
}

TEST(MotionSettings, NameWhatContradicts) {
    MotionSettings settings;
    settings.level_3 = 0.9;
    settings.battery_dock = 0.5;
    EXPECT_THAT(contradictions(settings, BodyPlan{}),
                testing::ElementsAre("level_3 (0.9) has to be at most what the body can do (0.6)",
                                     "battery_dock (0.5) has to be at most battery_warn (0.3)"));
    settings = {};
    settings.slow_zone = 0.1;
    EXPECT_THAT(contradictions(settings, BodyPlan{}),
                testing::ElementsAre(testing::HasSubstr("the braking distance from level_3")));
    settings = {};
    settings.full_stop_deceleration = 1.0;
    EXPECT_THAT(contradictions(settings, BodyPlan{}),
                testing::ElementsAre("stop_deceleration (2.5) has to be at most full_stop_deceleration (1)"));
}

TEST(MotionSettings, MayBeEqualWhereOneHasToBeAtMostTheOther) {
    MotionSettings settings;
    settings.level_1 = settings.level_2;
    settings.time_to_live = settings.max_time_to_live;
    EXPECT_THAT(contradictions(settings, BodyPlan{}), testing::IsEmpty());
    settings.time_to_live = settings.max_time_to_live + Duration(1);
    EXPECT_THAT(contradictions(settings, BodyPlan{}),
                testing::ElementsAre(testing::StartsWith("time_to_live")));
}

TEST(MotionSettings, GiveTheDistanceAndTheTimeOfBraking) {
    MotionSettings settings;
    settings.level_3 = 0.6;
    settings.stop_deceleration = 1.0;
    settings.deceleration = 1.0;
    settings.slow_zone = settings.stop_zone + 0.1;
    EXPECT_THAT(contradictions(settings, BodyPlan{}), testing::ElementsAre(testing::HasSubstr("(0.18)")));
    EXPECT_EQ(settings.full_stop_time(0.4), Duration::zero());
    settings.full_stop_deceleration = 4.0;
    EXPECT_EQ(settings.full_stop_time(0.4), from_seconds(0.1));
}

}  // namespace
}  // namespace caribou::motion
