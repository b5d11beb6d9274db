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
                testing::ElementsAre(testing::HasSubstr("the braking distance at level_3")));
}

}  // namespace
}  // namespace caribou::motion
