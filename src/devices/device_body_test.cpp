#include "devices/device_body.hpp"

#include <gtest/gtest.h>

#include "devices/create2_base.hpp"
#include "devices/device_kinds.hpp"

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;

class NoPort final : public DevicePort {
public:
    void write(ByteView) override {}
    void set_lines(bool, bool) override {}
    void set_baud(int) override {}
    void discard_input() override {}
};

class DeviceBodyTest : public testing::Test {
protected:
    void turn(Instant at) {
        for (int i = 0; i < 100; ++i) body.scans().add({0.06 * i, 1.0, at});
        body.scans().end_turn();
        body.tick(at);
    }
    std::size_t lidar() const { return body.plan().sensors.size() - 1; }

    NoPort port;
    NullLog log;
    Create2Base base{port, log};
    DeviceBody body{base, DeviceBody::LidarOptions{.mount = {.pose = {0.1, 0, 0}}, .reach = 12}};
};

TEST_F(DeviceBodyTest, HasTheLidarAsItsLastSensor) {
    const motion::SensorPlan& sensor = body.plan().sensors.at(lidar());
    EXPECT_EQ(sensor.name, "lidar");
    EXPECT_EQ(sensor.kind, motion::SensorKind::lidar);
    EXPECT_TRUE(sensor.required);
    EXPECT_EQ(sensor.pose, (Pose{0.1, 0, 0}));
    EXPECT_EQ(DeviceBody(base).plan().sensors.size(), base.plan().sensors.size());
}

TEST_F(DeviceBodyTest, GivesNoScanThatIsTooOld) {
    turn(Instant(1s));
    turn(Instant(1100ms));
    EXPECT_TRUE(std::holds_alternative<std::shared_ptr<const motion::LidarScan>>(body.read(lidar())));
    body.tick(Instant(1700ms));
    EXPECT_TRUE(std::holds_alternative<motion::NoReading>(body.read(lidar())));
}

TEST_F(DeviceBodyTest, IsMadeOfEveryKindThatHasAName) {
    for (const std::string_view kind : base_kinds())
        EXPECT_NE(make_base(kind, {}, port, log), nullptr) << kind;
    for (const std::string_view kind : lidar_kinds())
        EXPECT_NE(make_lidar(kind, port, body.scans(), log), nullptr) << kind;
    EXPECT_EQ(make_base("tank", {}, port, log), nullptr);
    EXPECT_EQ(make_lidar("eye", port, body.scans(), log), nullptr);
}

}  // namespace
}  // namespace caribou::devices
