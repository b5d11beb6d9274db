#include "robot/tree_sensors.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/tree_loader.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Bystander final : public behavior::Behavior {
public:
    explicit Bystander(std::string id) : Behavior(std::move(id)) {
        (void)declare({.sensors_in_scope = {"eyes"}, .sensors_while_active = {"ears"}});
    }
};

class TreeSensorsTest : public testing::Test {
protected:
    TreeSensorsTest() {
        tree_.emplace<Bystander>("a");
        sensors_.set_tree(tree_);
    }
    behavior::BehaviorTree tree_;
    std::vector<std::set<std::string>> published_;
    TreeSensors sensors_{[this](const std::set<std::string>& kinds) { published_.push_back(kinds); }};
};

TEST_F(TreeSensorsTest, LeaveOnWhatNoBehaviorWantsOnlyWhileNoneRuns) {
    sensors_.settle();
    EXPECT_THAT(published_, IsEmpty());
    sensors_.set_running(true);
    sensors_.set_mode("eyes", true);
    sensors_.settle();
    sensors_.set_mode("ears", true);
    sensors_.settle();
    sensors_.set_mode("eyes", false);
    sensors_.settle();
    sensors_.set_running(false);
    sensors_.settle();
    using Kinds = std::set<std::string>;
    EXPECT_THAT(published_, ElementsAre(Kinds{"ears"}, Kinds{}, Kinds{"eyes"}, Kinds{}));
}

TEST_F(TreeSensorsTest, PublishAChangeWithinATickOnce) {
    sensors_.set_running(true);
    sensors_.settle();
    published_.clear();
    sensors_.set_mode("eyes", true);
    sensors_.set_mode("eyes", false);
    sensors_.settle();
    EXPECT_THAT(published_, IsEmpty());
}

TEST(SensorModes, OfATreeAreKindsOfSensorsThatPropulsionDoesNotUse) {
    behavior::ClassRegistry classes;
    behavior::register_engine_classes(classes);
    register_sensor_modes(classes);
    const auto faults = [&](std::string_view modes) {
        const std::vector<behavior::TreeText> files{{"f", fmt::format(R"({{"base": "r", "behaviors": [
{{"class": "idle", "id": "r", "sensors_in_scope": {}}}]}})",
                                                                      modes)}};
        const auto loaded = behavior::load_tree(files, classes);
        return loaded ? "" : to_string(loaded.error());
    };
    EXPECT_EQ(faults(R"(["eyes"])"), "");
    EXPECT_EQ(faults(R"(["eys"])"), "f:2:51: no sensor mode is called `eys`; did you mean `eyes`?\n");
    EXPECT_THAT(faults(R"(["front"])"), HasSubstr("no sensor mode is called `front`"));
}

TEST(SensorModes, SwitchTheSensorsOfARobot) {
    RobotRig rig("DefaultRunMode = 2\n[telemetry]\nsensors_off = [\"imu\", \"lidar\"]");
    rig.tree_text = R"({"base": "r", "behaviors": [
        {"class": "strict_priority", "id": "r", "children": ["watch", "spin"]},
        {"class": "idle", "id": "watch", "wants": {"fact": "dock_wanted"}, "sensors_while_active": ["eyes"]},
        {"class": "spin", "id": "spin"}]})";
    rig.make(rig.config.send_port);
    rig.start_connected();
    rig.loop.advance(1s);
    const std::size_t eyes = rig.body.index("eyes");
    const auto reads = [&] {
        const auto array = rig.buffers->sensor_array.copy();
        return std::ranges::find(array, eyes) != array.end();
    };
    EXPECT_FALSE(reads()) << "no behavior needs them";
    EXPECT_TRUE(rig.body.unpowered.contains(eyes));
    rig.tell("dock");
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.station.telemetry.back().behavior, "watch");
    EXPECT_TRUE(reads());
    EXPECT_FALSE(rig.body.unpowered.contains(eyes));
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre(HasSubstr("DONE")));
    rig.loop.advance(500ms);
    EXPECT_TRUE(reads()) << "nothing is left off while a person drives";
}

}  // namespace
}  // namespace caribou::robot
