#include "negotiation/ros_bridge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/check.hpp"
#include "bus/broker_server.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "msg/geometry_msgs/twist.hpp"
#include "msg/nav_msgs/odometry.hpp"
#include "msg/std_msgs/float64.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::negotiation {
namespace {

using msg::geometry_msgs::Twist;
using msg::nav_msgs::Odometry;
using testing::ElementsAre;
using namespace std::chrono_literals;

constexpr auto config = R"(
[[to_ros]]
topic = "/odom"
type = "nav_msgs/msg/Odometry"
period = "100ms"
[to_ros.constants]
"header.frame_id" = "odom"
[to_ros.fields]
"pose.pose.position.x" = "NAV_X"
"pose.pose.orientation" = {variable = "NAV_HEADING", unit = "compass deg"}
[[to_ros]]
topic = "/words"
type = "std_msgs/msg/String"
[to_ros.fields]
"data" = "WORDS"
[[from_ros]]
topic = "/cmd_vel"
type = "geometry_msgs/msg/Twist"
[from_ros.fields]
"linear.x" = {variable = "SPEED", unit = "km/h"}
[[from_ros]]
topic = "/cold"
type = "std_msgs/msg/Float64"
not_finite = "pass"
[from_ros.fields]
"data" = "COLD"
[[from_ros]]
topic = "/words"
type = "std_msgs/msg/String"
[from_ros.fields]
"data" = "WORDS"
[[to_ros]]
topic = "/image"
type = "own_msgs/msg/Image"
message = "IMAGE"
[[from_ros]]
topic = "/cloud"
type = "own_msgs/msg/Cloud"
message = "CLOUD"
)";

/// A bus whose broker can be stopped and restarted.
struct House {
    House() { open(); }
    void open() {
        broker.emplace(loop, network,
                       bus::BrokerServer::Options{.broker = {.community = "c", .hostname = "h"}}, log);
        check(broker->listen(Address::ip("127.0.0.1", 9000)).has_value(), "the port is free");
    }

    MemoryLog log;
    VirtualLoop loop;
    MemoryNetwork network{loop};
    std::optional<bus::BrokerServer> broker;
};

template <class T>
struct RosEar final : ReaderEvents {
    void on_sample(const Peer&, const Sample& sample) override { heard.push_back(**object_of<T>(sample)); }
    std::vector<T> heard;
};

class RosBridgeTest : public testing::Test {
protected:
    RosBridgeTest() {
        check(bridge_.start().has_value(), "the bridge starts");
        check(user_->start().has_value(), "the user starts");
        house_.loop.advance(1s);
    }

    template <class T>
    std::unique_ptr<Reader> listen(const std::string& topic, RosEar<T>& ear) {
        auto reader = ros_.subscribe({topic, std::string(wire::MessageCodec<T>::type_name)}, {}, ear);
        check(reader.has_value(), "a reader is made");
        return std::move(*reader);
    }
    template <class T>
    std::unique_ptr<Writer> speak(const std::string& topic) {
        auto writer = ros_.advertise({topic, std::string(wire::MessageCodec<T>::type_name)}, {}, nobody_);
        check(writer.has_value(), "a writer is made");
        house_.loop.advance(1s);
        return std::move(*writer);
    }

    struct Nobody final : WriterEvents {
    } nobody_;
    House house_;
    InProcessTransport ros_{house_.loop};
    BridgePlan plan_ = *read_bridge_plan({"bridge.toml", config});
    PeerId own_{};  ///< writer that the bridge considers its own
    RosBridge bridge_{
        house_.loop, house_.network, ros_, plan_, [this](const PeerId& id) { return id == own_; },
        house_.log};
    std::unique_ptr<bus::Client> user_ =
        std::make_unique<bus::Client>(house_.loop, house_.network, bus::ClientOptions{.name = "user"});
};

TEST_F(RosBridgeTest, SendsAMessageWhenItHasAllItsValues) {
    RosEar<Odometry> ear;
    const auto reader = listen("/odom", ear);
    house_.loop.advance(1s);
    ASSERT_TRUE(user_->notify("NAV_X", 3.5));
    house_.loop.advance(1s);
    EXPECT_TRUE(ear.heard.empty()) << "the heading is not known yet";
    ASSERT_TRUE(user_->notify("NAV_HEADING", 0.0, {.time = 1000.25}));
    house_.loop.advance(1s);
    ASSERT_EQ(ear.heard.size(), 1u);
    EXPECT_EQ(ear.heard[0].pose.pose.position.x, 3.5);
    EXPECT_NEAR(ear.heard[0].pose.pose.orientation.z, std::sin(std::numbers::pi / 4), 1e-12)
        << "north is +90 degrees";
    EXPECT_EQ(ear.heard[0].header.frame_id, "odom");
    EXPECT_EQ(bridge_.stats().to_ros, 1u);
}

TEST_F(RosBridgeTest, SendsNotMoreOftenThanItsPeriodButTheNewestValue) {
    RosEar<Odometry> ear;
    const auto reader = listen("/odom", ear);
    ASSERT_TRUE(user_->notify("NAV_HEADING", 90.0));
    for (int i = 0; i <= 50; ++i) {
        ASSERT_TRUE(user_->notify("NAV_X", i));
        house_.loop.advance(10ms);
    }
    house_.loop.advance(1s);
    EXPECT_LE(ear.heard.size(), 7u);
    EXPECT_GE(ear.heard.size(), 5u);
    EXPECT_EQ(ear.heard.back().pose.pose.position.x, 50);
}

TEST_F(RosBridgeTest, WritesWhatComesFromRosInTheUnitsOfTheBus) {
    std::vector<double> speeds;
    user_->on_mail("SPEED", [&](const wire::MessageView& mail) { speeds.push_back(mail.value); });
    ASSERT_TRUE(user_->register_variable("SPEED"));
    const auto writer = speak<Twist>("/cmd_vel");
    ASSERT_TRUE(
        writer->write(make_sample(std::make_shared<const Twist>(Twist{.linear = {.x = 10}, .angular = {}}),
                                  house_.loop.clock().wall())));
    house_.loop.advance(1s);
    EXPECT_THAT(speeds, ElementsAre(testing::DoubleEq(36)));
}

TEST_F(RosBridgeTest, WritesNoNumberThatIsNotFiniteUnlessConfigured) {
    std::vector<double> speeds;
    std::vector<double> temperatures;
    user_->on_mail("SPEED", [&](const wire::MessageView& mail) { speeds.push_back(mail.value); });
    user_->on_mail("COLD", [&](const wire::MessageView& mail) { temperatures.push_back(mail.value); });
    ASSERT_TRUE(user_->register_variable("SPEED") && user_->register_variable("COLD"));
    const auto twists = speak<Twist>("/cmd_vel");
    const auto numbers = speak<msg::std_msgs::Float64>("/cold");
    const auto write = [&](const auto& writer, auto message) {
        ASSERT_TRUE(writer->write(
            make_sample(std::make_shared<const decltype(message)>(message), house_.loop.clock().wall())));
        house_.loop.advance(1s);
    };
    write(twists, Twist{.linear = {.x = std::nan("")}, .angular = {}});
    write(twists, Twist{.linear = {.x = HUGE_VAL}, .angular = {}});
    write(numbers, msg::std_msgs::Float64{HUGE_VAL});
    EXPECT_THAT(speeds, testing::IsEmpty());
    EXPECT_EQ(bridge_.stats().refused, 2u);
    EXPECT_TRUE(house_.log.mentions("linear.x is not finite"));
    EXPECT_THAT(temperatures, ElementsAre(HUGE_VAL));
}

TEST_F(RosBridgeTest, CarriesATopicBothWaysAndNothingGoesRound) {
    RosEar<msg::std_msgs::String> ear;
    const auto reader = listen("/words", ear);
    const auto writer = speak<msg::std_msgs::String>("/words");
    ASSERT_TRUE(
        writer->write(make_sample(std::make_shared<const msg::std_msgs::String>(msg::std_msgs::String{"hi"}),
                                  house_.loop.clock().wall())));
    house_.loop.advance(5s);
    EXPECT_EQ(ear.heard.size(), 1u) << "only what the other one said";
    EXPECT_EQ(bridge_.stats().to_ros, 0u);
    EXPECT_GE(bridge_.stats().own, 1u);
}

TEST_F(RosBridgeTest, SurvivesTheBrokerAndTellsOfIt) {
    RosEar<msg::std_msgs::String> ear;
    const auto reader = listen("/words", ear);
    house_.broker.reset();
    house_.loop.advance(10s);
    EXPECT_TRUE(house_.log.mentions("lost the bus"));
    house_.open();
    house_.loop.advance(10s);
    ASSERT_TRUE(user_->notify("WORDS", "back"));
    house_.loop.advance(5s);
    ASSERT_EQ(ear.heard.size(), 1u);
    EXPECT_EQ(ear.heard[0].data, "back");
}

TEST_F(RosBridgeTest, CountsWhatMakesNoSenseAndSaysItOnce) {
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(user_->notify("NAV_X", "abc"));
        house_.loop.advance(1s);
    }
    EXPECT_EQ(bridge_.stats().refused, 3u);
    EXPECT_TRUE(house_.log.mentions("/odom: NAV_X: `x` cannot be `abc`: not a number"));
    EXPECT_EQ(
        std::ranges::count_if(house_.log.lines, [](const auto& line) { return line.text.contains("NAV_X"); }),
        1);
}

/// Neither type is known here.
TEST_F(RosBridgeTest, PassesWholeMessagesWithoutDecodingThem) {
    struct Bare final : ReaderEvents {
        void on_sample(const Peer&, const Sample& sample) override { heard.push_back(sample.bytes()); }
        std::vector<Bytes> heard;
    } ear;
    const auto reader = ros_.subscribe({"/image", "own_msgs/msg/Image"}, {}, ear);
    const auto writer = ros_.advertise({"/cloud", "own_msgs/msg/Cloud"}, {}, nobody_);
    std::vector<Bytes> clouds;
    user_->on_mail("CLOUD", [&](const wire::MessageView& mail) {
        const ByteView bytes = bytes_of(mail.payload);
        clouds.emplace_back(bytes.begin(), bytes.end());
    });
    ASSERT_TRUE(user_->register_variable("CLOUD"));
    house_.loop.advance(1s);
    Bytes message(1'000'000, std::byte{7});
    std::ranges::copy(std::array{std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}}, message.begin());
    ASSERT_TRUE((*writer)->write(Sample(std::make_shared<const Bytes>(message), {})));
    ASSERT_TRUE(user_->notify("IMAGE", ByteView(message)));
    ASSERT_TRUE(user_->notify("IMAGE", ByteView(message)));
    house_.loop.advance(1s);
    EXPECT_EQ(clouds, std::vector<Bytes>{message});
    EXPECT_EQ(ear.heard, (std::vector<Bytes>{message, message})) << "each is a message of its own";
    ASSERT_TRUE(user_->notify("IMAGE", ByteView(Bytes(100, std::byte{7}))));
    house_.loop.advance(1s);
    EXPECT_EQ(ear.heard.size(), 2U);
    EXPECT_EQ(bridge_.stats().refused, 1U);
    EXPECT_TRUE(house_.log.mentions("/image: IMAGE is not the bytes of a message"));
}

TEST_F(RosBridgeTest, TakesAMalformedMessageForAFaultOfItsSender) {
    const auto writer = speak<Twist>("/cmd_vel");
    ASSERT_TRUE(writer->write(Sample(std::make_shared<const Bytes>(5, std::byte{9}), {})));
    house_.loop.advance(1s);
    EXPECT_EQ(bridge_.stats().refused, 1u);
    EXPECT_EQ(bridge_.stats().from_ros, 0u);
    EXPECT_TRUE(house_.log.mentions("/cmd_vel: from "));
}

}  // namespace
}  // namespace caribou::negotiation
