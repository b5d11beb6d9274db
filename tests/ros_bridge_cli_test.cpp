// The real bridge between a real broker and topics on DDS, and `caribou topics`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <test_paths.hpp>
#include "child/program.hpp"
#include "dds/dds_rig.hpp"
#include "msg/geometry_msgs/twist.hpp"
#include "msg/std_msgs/float64.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/typed_sample.hpp"
#include "platform/named_thread.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using msg::geometry_msgs::Twist;
using msg::std_msgs::Float64;
using testing::HasSubstr;

template <class T>
struct RosEar final : negotiation::ReaderEvents {
    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        heard.push_back(**negotiation::object_of<T>(sample));
    }
    std::vector<T> heard;
};
struct Nobody final : negotiation::WriterEvents {
    void on_reader_joined(const negotiation::Peer&) override { ++readers; }
    int readers = 0;
};

class RosBridgeProgram : public testing::Test {
protected:
    RosBridgeProgram() {
        const std::string line = db_.read_line(limit).value_or(":0");
        port_ = line.substr(line.rfind(':') + 1);
        std::ofstream(folder_ / "bridge.toml")
            << "[bus]\nbroker = \"127.0.0.1:" << port_ << "\"\n[ros]\nnode = \"boat\"\n"
            << "domain = " << rig_.lease.domain() << R"(
[[to_ros]]
topic = "/depth"
type = "std_msgs/msg/Float64"
keep = 1
[to_ros.fields]
"data" = {variable = "DEPTH", unit = "ft"}
[[from_ros]]
topic = "/cmd_vel"
type = "geometry_msgs/msg/Twist"
[from_ros.fields]
"linear.x" = "SPEED"
)";
    }
    Words bridge(const Words& more = {}) const {
        Words words{"ros-bridge", "--config", folder_ / "bridge.toml"};
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    }
    ChildProcess::End poke(const std::string& value) const { return run({"poke", value, "--port", port_}); }

    DdsRig rig_;
    TemporaryFolder folder_;
    ChildProcess db_{command({"db", "--port", "0", "--quiet"})};
    std::string port_;
};

TEST_F(RosBridgeProgram, CarriesValuesBothWays) {
    ChildProcess program(bridge());
    RosEar<Float64> ear;
    const auto reader = rig_.process(0).subscribe(
        {"/depth", "std_msgs/msg/Float64"}, {.durability = negotiation::Durability::transient_local}, ear);
    ASSERT_TRUE(reader.has_value());
    Nobody nobody;
    const auto writer = rig_.process(0).advertise({"/cmd_vel", "geometry_msgs/msg/Twist"}, {}, nobody);
    ASSERT_TRUE(writer.has_value());
    ASSERT_EQ(poke("DEPTH=10").code, 0);
    ASSERT_TRUE(rig_.run_until([&] { return !ear.heard.empty() && nobody.readers == 1; }));
    EXPECT_DOUBLE_EQ(ear.heard[0].data, 3.048);

    ChildProcess watch(command({"watch", "SPEED", "--port", port_}));
    Twist twist;
    twist.linear.x = 1.5;
    ASSERT_TRUE((*writer)->write(
        negotiation::make_sample(std::make_shared<const Twist>(twist), rig_.loop().clock().wall())));
    std::string seen;
    while (!seen.contains("1.5")) {
        const auto line = watch.read_line(limit);
        ASSERT_TRUE(line) << "SPEED does not come";
        seen = *line;
    }
    EXPECT_THAT(seen, HasSubstr("SPEED"));

    const auto listed =
        run({"topics", "list", "--transport", "dds", "--domain", std::to_string(rig_.lease.domain())});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_THAT(listed.out, HasSubstr("/depth"));
    EXPECT_THAT(listed.out, HasSubstr("geometry_msgs/msg/Twist"));
    ChildProcess echo(command({"topics", "echo", "/depth", "--count", "1", "--transport", "dds", "--domain",
                               std::to_string(rig_.lease.domain())}));
    std::optional<std::string> line;
    for (int i = 0; i < 100 && !line; ++i) {
        ASSERT_EQ(poke("DEPTH=20").code, 0);
        line = echo.read_line(std::chrono::milliseconds(200));
    }
    EXPECT_EQ(line, "data: 6.096");
    EXPECT_EQ(end_of(echo).code, 0);
    const auto plain = run({"topics", "explain", "/depth", "--transport", "dds", "--domain",
                            std::to_string(rig_.lease.domain())});
    EXPECT_EQ(plain.code, 1);
    EXPECT_THAT(plain.err, HasSubstr("/depth is a plain topic: nothing is negotiated there"));
    const auto hz =
        run({"topics", "hz", "/deph", "--transport", "dds", "--domain", std::to_string(rig_.lease.domain())});
    EXPECT_EQ(hz.code, 1);
    EXPECT_THAT(hz.err, HasSubstr("there is no topic /deph on the dds; did you mean `/depth`?"));

    program.signal(SIGTERM);
    const auto end = end_of(program);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.err, HasSubstr("messages to ROS and 1 from there"));
}

/// A type that is read from a file, with a peer whose types idlc has generated.
TEST_F(RosBridgeProgram, CarriesTypesOfFiles) {
    std::filesystem::create_directories(folder_ / "msgs/geometry_msgs/msg");
    std::ofstream(folder_ / "msgs/geometry_msgs/msg/TwistStamped.msg")
        << "std_msgs/Header header  # from a file\nTwist twist\n";
    const std::string domain = std::to_string(rig_.lease.domain());
    std::ofstream(folder_ / "bridge.toml") << "[bus]\nbroker = \"127.0.0.1:" << port_
                                           << "\"\n[ros]\nmessages = \"msgs\"\ndomain = " << domain << R"(
[[to_ros]]
topic = "/wind"
type = "geometry_msgs/msg/TwistStamped"
[to_ros.fields]
"twist.linear.x" = "WIND"
[[from_ros]]
topic = "/wind_back"
type = "geometry_msgs/msg/TwistStamped"
[from_ros.fields]
"twist.linear.x" = "WIND_BACK"
[[from_ros]]
topic = "/wind_back"
type = "geometry_msgs/msg/TwistStamped"
message = "WIND_BYTES"
)";
    const ChildProcess peer(
        {in_build("cyclone_echo"), domain, "geometry_msgs/msg/TwistStamped", "rt/wind", "rt/wind_back"});
    ChildProcess program(bridge());
    ChildProcess watch(command({"watch", "WIND_BACK", "--port", port_}));
    ChildProcess echo(command({"topics", "echo", "/wind", "--count", "1", "--transport", "dds", "--search",
                               "3", "--messages", folder_ / "msgs", "--domain", domain}));
    std::optional<std::string> line;
    for (int i = 0; i < 100 && !(line && line->contains("2.5")); ++i) {
        ASSERT_EQ(poke("WIND=2.5").code, 0);
        line = watch.read_line(std::chrono::milliseconds(200));
    }
    EXPECT_THAT(line.value_or("nothing"), HasSubstr("2.5"));
    line.reset();
    for (int i = 0; i < 100 && !line; ++i) {
        ASSERT_EQ(poke("WIND=2.5").code, 0);
        line = echo.read_line(std::chrono::milliseconds(200));
    }
    EXPECT_EQ(line, "header:");
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
}

struct PlainDepth {
    using MsgT = Float64;
    static const inline std::string supported_type_name = "metres";
};

TEST(TopicsProgram, ExplainsWhatIsNegotiated) {
    const DomainLease lease;
    const auto participant = DdsParticipant::open({.domain = lease.domain(), .name = "boat"}).value();
    NullLog log;
    NamedThread thread({.name = "publisher"}, log);
    DdsTransport transport(*participant, thread.loop());
    negotiation::NegotiatedPublisher publisher(thread.loop(), transport, "/depth");
    ASSERT_TRUE(publisher.add_supported_type<PlainDepth>(1));
    ASSERT_TRUE(publisher.start());
    ASSERT_TRUE(thread.start());
    const auto end = run(
        {"topics", "explain", "/depth", "--transport", "dds", "--domain", std::to_string(lease.domain())});
    thread.stop();
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("/depth: there is no subscription"));
    EXPECT_THAT(end.out, HasSubstr("metres: weight 1"));
}

TEST_F(RosBridgeProgram, ChecksItsFile) {
    EXPECT_EQ(run({"ros-bridge", "--check", "--config", folder_ / "bridge.toml"}).code, 0);
    std::ofstream(folder_ / "bridge.toml", std::ios::app) << "\n[[from_rso]]\n";
    const auto end = run({"ros-bridge", "--config", folder_ / "bridge.toml"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("bridge.toml:18:3: there is no `from_rso` here"));
    EXPECT_THAT(end.err, HasSubstr("did you mean `from_ros`?"));
}

TEST_F(RosBridgeProgram, StaysOnThisMachineUnlessToldOtherwise) {
    std::ofstream(folder_ / "lan.toml") << "[ros]\npeers = [\"192.0.2.1\"]\n[[to_ros]]\ntopic = \"/b\"\n"
                                           "type = \"std_msgs/msg/Bool\"\n[to_ros.fields]\ndata = \"B\"\n";
    const auto end = run({"ros-bridge", "--config", folder_ / "lan.toml"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, HasSubstr("add --insecure-lan"));
}

}  // namespace
}  // namespace caribou::tests
