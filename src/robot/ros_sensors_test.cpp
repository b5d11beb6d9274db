#include "robot/ros_sensors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "msg/diagnostic_msgs/diagnostic_array.hpp"
#include "msg/sensor_msgs/imu.hpp"
#include "msg/sensor_msgs/range.hpp"
#include "negotiation/in_process_transport.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

template <class Message>
class Recorder final : public negotiation::ReaderEvents {
public:
    Recorder(negotiation::Transport& transport, const std::string& topic)
        : reader_(transport.subscribe({topic, std::string(wire::MessageCodec<Message>::type_name)}, {}, *this)
                      .value()) {}
    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        messages.push_back(**negotiation::object_of<Message>(sample));
    }
    std::vector<Message> messages;

private:
    std::unique_ptr<negotiation::Reader> reader_;
};

TEST(RosSensors, PublishesEachSensorAndADiagnosisPerSecond) {
    RobotRig rig;
    negotiation::InProcessTransport transport(rig.loop);
    RosSensors sensors(rig.strand, transport, *rig.buffers, rig.body.plan(), {.robot = "rover"});
    ASSERT_TRUE(sensors.start());
    rig.start_connected();
    const auto kind = motion::SensorKind::range;
    const auto range = std::ranges::find(rig.body.plan().sensors, kind, &motion::SensorPlan::kind);
    ASSERT_NE(range, rig.body.plan().sensors.end());
    Recorder<msg::sensor_msgs::Range> ranges(transport, "/range/" + range->name);
    Recorder<msg::diagnostic_msgs::DiagnosticArray> diagnoses(transport, "/diagnostics");
    rig.loop.advance(3050ms);
    EXPECT_GE(ranges.messages.size(), 29U);
    ASSERT_GE(diagnoses.messages.size(), 3U);
    EXPECT_LE(diagnoses.messages.size(), 4U);
    EXPECT_EQ(diagnoses.messages.back().status[0].hardware_id, "rover");
}

}  // namespace
}  // namespace caribou::robot
