#include "sim/world_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/driver_body.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SilentLog final : public Log {
public:
    void write(Level, std::string_view) override {}
};

/// The robot's end of a stream to the world: what `caribou world drive` and a descriptor are between
/// processes.
class StreamLine final : public driver::DriverLine, StreamEvents {
public:
    StreamLine(Network& network, const Address& at, const std::string& name)
        : stream_(network.connect(at, *this)), greeting_(driver::frame_of(driver::Attach{name})) {}

    Result<std::size_t> read(std::span<std::byte> into) override {
        if (!stream_) return fail(Code::closed, "closed");
        auto size = stream_->read(into);
        if (!size) stream_.reset();
        return size;
    }
    Result<std::size_t> write(ByteView bytes) override {
        if (!stream_) return fail(Code::closed, "closed");
        return stream_->write(std::span(&bytes, 1));
    }
    void end() override { stream_.reset(); }
    bool has_ended(Duration) override { return !stream_; }

private:
    void on_open() override {
        const ByteView bytes = greeting_;
        EXPECT_TRUE(stream_->write(std::span(&bytes, 1)));
    }
    void on_readable() override {}
    void on_writable() override {}

    std::unique_ptr<Stream> stream_;
    Bytes greeting_;
};

class WorldServerTest : public testing::Test {
protected:
    static world::WorldPlan plan() {
        world::WorldPlan plan;
        plan.size = {6, 6};
        plan.starts = {{1, 1, 0}, {1, 3, 0}};
        return plan;
    }
    WorldServerTest() { server.listen(at).value(); }

    /// Connects and greets; null if the world refuses.
    std::unique_ptr<driver::DriverBody> body(const std::string& name) {
        inlet.offer(std::make_unique<StreamLine>(network, at, name));
        driver::DriverBody::Greeting greeting(inlet, loop.clock());
        for (int i = 0; i < 20; ++i) {
            const auto done = greeting.poll();
            if (!done) refusal = done.error().message;
            if (!done) return nullptr;
            if (*done) return std::make_unique<driver::DriverBody>(std::move(greeting), log);
            loop.advance(10ms);
        }
        return nullptr;
    }
    void drive(driver::DriverBody& body, Duration time, motion::WheelSpeeds speeds = {0.2, 0.2}) {
        for (Duration left = time; left > 0s; left -= 20ms) {
            body.drive(speeds);
            loop.advance(20ms);
        }
    }
    double x_of(world::RobotId robot) { return server.world().pose(robot).x; }

    VirtualLoop loop;
    SilentLog log;
    MemoryNetwork network{loop};
    Address at = Address::unix_path("/world");
    driver::DriverInlet inlet;
    std::vector<std::string> trace;
    std::string refusal;
    WorldServer server{loop, network, world::World(plan()), log, [this](std::string_view line) {
                           trace.emplace_back(line.substr(line.find(' ') + 1));
                       }};
};

TEST_F(WorldServerTest, LetsARobotDriveInItsWorld) {
    const auto rover = body("rover");
    ASSERT_TRUE(rover);
    EXPECT_EQ(rover->hello().stops_without_feed_ms, 0);
    ASSERT_TRUE(rover->enable_motors(true));
    drive(*rover, 2s);
    EXPECT_THAT(rover->absence(), IsEmpty());
    EXPECT_NEAR(x_of(0), 1.4, 0.05);
    const auto& sensors = rover->plan().sensors;
    const auto lidar = std::ranges::find(sensors, motion::SensorKind::lidar, &motion::SensorPlan::kind);
    const auto scan = rover->read(static_cast<std::size_t>(lidar - sensors.begin()));
    EXPECT_TRUE(std::holds_alternative<std::shared_ptr<const motion::LidarScan>>(scan));
}

TEST_F(WorldServerTest, OrdersZeroWhenTheConnectionCloses) {
    auto rover = body("rover");
    ASSERT_TRUE(rover->enable_motors(true));
    drive(*rover, 1s);
    rover->cut_motors().value();
    loop.advance(1ms);
    EXPECT_THAT(trace, ElementsAre("rover 0.2 0.2 order", "rover 0 0 closed"));
    loop.advance(1s);
    const double there = x_of(0);
    loop.advance(1s);
    EXPECT_EQ(x_of(0), there);
}

TEST_F(WorldServerTest, KeepsARobotWhereItIsUntilItComesBack) {
    auto rover = body("rover");
    ASSERT_TRUE(rover->enable_motors(true));
    drive(*rover, 1s);
    rover.reset();
    loop.advance(5s);
    const double there = x_of(0);
    EXPECT_GT(there, 1.1);
    rover = body("rover");
    ASSERT_TRUE(rover);
    EXPECT_EQ(x_of(0), there);
    EXPECT_EQ(server.world().robot_count(), 1U);
    ASSERT_TRUE(rover->enable_motors(true));
    drive(*rover, 1s);
    EXPECT_GT(x_of(0), there + 0.1);
}

TEST_F(WorldServerTest, DrivesSeveralRobotsApart) {
    const auto first = body("first");
    const auto second = body("second");
    ASSERT_TRUE(first && second);
    ASSERT_TRUE(first->enable_motors(true));
    ASSERT_TRUE(second->enable_motors(true));
    for (int i = 0; i < 50; ++i) {
        first->drive({0.2, 0.2});
        drive(*second, 20ms, {});
    }
    EXPECT_GT(x_of(0), 1.1);
    EXPECT_EQ(x_of(1), 1.0);
}

TEST_F(WorldServerTest, LetsTheLatestConnectionDrive) {
    const auto old = body("rover");
    ASSERT_TRUE(old->enable_motors(true));
    drive(*old, 200ms);
    const auto latest = body("rover");
    ASSERT_TRUE(latest);
    EXPECT_EQ(trace.back(), "rover 0 0 replaced");
    loop.advance(20ms);
    EXPECT_THAT(old->absence(), HasSubstr("closed the connection"));
    ASSERT_TRUE(latest->enable_motors(true));
    drive(*latest, 200ms);
    EXPECT_EQ(trace.back(), "rover 0.2 0.2 order");
}

TEST_F(WorldServerTest, RefusesMoreRobotsThanThereAreStarts) {
    const auto first = body("first");
    const auto second = body("second");
    EXPECT_FALSE(body("third"));
    EXPECT_THAT(refusal, HasSubstr("start"));
}

TEST_F(WorldServerTest, RefusesANameThatIsNone) {
    EXPECT_FALSE(body("../x"));
    EXPECT_THAT(refusal, HasSubstr("closed the connection: "));
}

TEST_F(WorldServerTest, StopsARobotWhosePeerDoesNotRead) {
    network.set_faults({.stream_buffer = 64_KiB});
    const auto rover = body("rover");
    ASSERT_TRUE(rover->enable_motors(true));
    rover->drive({0.2, 0.2});
    loop.advance(20ms);
    EXPECT_EQ(trace.back(), "rover 0.2 0.2 order");
    loop.advance(1min);
    EXPECT_EQ(trace.back(), "rover 0 0 not read");
}

TEST_F(WorldServerTest, RefusesFramesThatAreNone) {
    class Peer final : public StreamEvents {
    public:
        explicit Peer(Network& network, const Address& at) : stream(network.connect(at, *this)) {}
        void on_open() override {
            const Bytes nonsense(64, std::byte{0xff});
            const ByteView bytes = nonsense;
            EXPECT_TRUE(stream->write(std::span(&bytes, 1)));
        }
        void on_readable() override {
            std::array<std::byte, 1000> buffer;
            closed = closed || !stream->read(buffer);
        }
        void on_writable() override {}
        bool closed = false;
        std::unique_ptr<Stream> stream;
    };
    Peer peer(network, at);
    loop.advance(100ms);
    EXPECT_TRUE(peer.closed);
    EXPECT_TRUE(body("rover")) << "others are served";
}

}  // namespace
}  // namespace caribou::sim
