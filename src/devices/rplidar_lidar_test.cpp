#include "devices/rplidar_lidar.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/hex_vectors.hpp"

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;

/// A lidar that answers as devices do, in a round room with a radius of 1.5 m.
class SimulatedRplidar final : public DevicePort {
public:
    explicit SimulatedRplidar(std::size_t info) : info_(hex_vectors("rplidar_replies.hex").at(info)) {}

    void write(ByteView bytes) override {
        if (is_silent || baud != own_baud) return;
        const Bytes request(bytes.begin(), bytes.end());
        requests.push_back(request);
        scans_ = false;
        const auto replies = hex_vectors("rplidar_replies.hex");
        const auto is = [&](rplidar::Request what) {
            return std::to_integer<int>(request.at(1)) == static_cast<int>(what);
        };
        if (is(rplidar::Request::info)) append(out_, info_);
        if (is(rplidar::Request::health))
            append(out_, std::exchange(is_ill, false) ? replies[3] : replies[2]);
        if (is(rplidar::Request::board_flags)) append(out_, replies[5]);
        if (is(rplidar::Request::express_scan)) begin_scan({0xa5, 0x5a, 0x54, 0, 0, 0x40, 0x82}, true);
        if (is(rplidar::Request::scan)) begin_scan({0xa5, 0x5a, 0x05, 0, 0, 0x40, 0x81}, false);
        if (is(rplidar::Request::reset)) append(out_, bytes_of("RP LIDAR System.\r\nFirmware Ver 1.29\r\n"));
    }
    void set_lines(bool dtr, bool) override { motor_is_stopped = dtr; }
    void set_baud(int rate) override { baud = rate; }
    void discard_input() override { out_.clear(); }

    Bytes advance() {
        if (is_silent) return {};
        if (scans_ && !motor_is_stopped) {
            if (is_express_)
                send_capsule();
            else
                for (int i = 0; i < 10; ++i) send_node();
        }
        return std::exchange(out_, {});
    }

    std::vector<Bytes> requests;
    bool is_silent = false;
    bool is_ill = false;
    bool motor_is_stopped = true;
    int own_baud = 115'200;
    int baud = 115'200;

private:
    void begin_scan(std::initializer_list<int> descriptor, bool is_express) {
        append(out_, bytes_from(descriptor));
        scans_ = true;
        is_express_ = is_express;
        angle_ = 0;
    }
    void send_node() {
        const bool begins = angle_ < 64;
        const auto raw = static_cast<unsigned>(angle_);
        for (const unsigned each :
             {begins ? 0x3dU : 0x3eU, ((raw & 0x7fU) << 1U) | 1U, raw >> 7U, 0x70U, 0x17U})
            out_.push_back(static_cast<std::byte>(each));
        angle_ = (angle_ + 64) % (360 * 64);
    }
    void send_capsule() {
        Bytes body;
        append_le<std::uint16_t>(body, static_cast<std::uint16_t>(angle_));
        for (int i = 0; i < 16; ++i)
            for (const int each : {0x70, 0x17, 0x70, 0x17, 0}) body.push_back(static_cast<std::byte>(each));
        unsigned sum = 0;
        for (const std::byte each : body) sum ^= std::to_integer<unsigned>(each);
        out_.push_back(static_cast<std::byte>(0xa0U | (sum & 15U)));
        out_.push_back(static_cast<std::byte>(0x50U | (sum >> 4U)));
        append(out_, body);
        angle_ = (angle_ + 32 * 64) % (360 * 64);
    }

    Bytes info_;
    Bytes out_;
    bool scans_ = false;
    bool is_express_ = false;
    int angle_ = 0;  ///< in 1/64 degree
};

class RplidarLidarTest : public testing::Test, public PointSink {
protected:
    void add(const LidarPoint& point) override { points.push_back(point); }
    void end_turn() override { ++turns; }

    void make(std::size_t info, int baud) {
        device.emplace(info);
        device->own_baud = device->baud = baud;
        lidar.emplace(baud, *device, *this, log);
        lidar->begin(now);
    }
    void run(Duration time) {
        for (const Instant end = now + time; now < end;) {
            now += 5ms;
            if (const Bytes sent = device->advance(); !sent.empty()) lidar->on_bytes(sent, now);
            lidar->tick(now);
        }
    }
    void expect_room() const {
        ASSERT_GT(points.size(), 300U);
        for (const LidarPoint& point : points) EXPECT_DOUBLE_EQ(point.range, 1.5);
        EXPECT_GT(turns, 1);
    }

    static constexpr std::size_t a1 = 0;
    static constexpr std::size_t c1 = 1;
    Instant now{1s};
    MemoryLog log;
    std::vector<LidarPoint> points;
    int turns = 0;
    std::optional<SimulatedRplidar> device;
    std::optional<RplidarLidar> lidar;
};

TEST_F(RplidarLidarTest, IdentifiesAnA1AndScansInExpressMode) {
    make(a1, 115'200);
    run(3s);
    EXPECT_TRUE(log.mentions("RPLIDAR A1, firmware 1.29, hardware 7, at 115200 baud"));
    EXPECT_FALSE(device->motor_is_stopped);
    EXPECT_THAT(device->requests, testing::Contains(rplidar::express_scan()));
    expect_room();
    lidar->end();
    EXPECT_TRUE(device->motor_is_stopped);
}

TEST_F(RplidarLidarTest, ScansWithTheModeThatEveryC1Has) {
    make(c1, 460'800);
    run(3s);
    EXPECT_TRUE(log.mentions("RPLIDAR C1, firmware 1.02"));
    EXPECT_THAT(device->requests, testing::Contains(rplidar::request(rplidar::Request::scan)));
    expect_room();
}

TEST_F(RplidarLidarTest, FindsTheBaudRate) {
    make(a1, 256'000);
    device->baud = 115'200;
    lidar.emplace(115'200, *device, *this, log);
    lidar->begin(now);
    run(4s);
    EXPECT_TRUE(log.mentions("at 256000 baud"));
    expect_room();
}

TEST_F(RplidarLidarTest, ResetsADeviceThatReportsAnError) {
    make(a1, 115'200);
    device->is_ill = true;
    run(6s);
    EXPECT_TRUE(log.mentions("it reports error 0x8001"));
    EXPECT_THAT(device->requests, testing::Contains(rplidar::request(rplidar::Request::reset)));
    expect_room();
}

TEST_F(RplidarLidarTest, StartsAScanAgainThatHasFallenSilent) {
    make(a1, 115'200);
    run(2s);
    device->is_silent = true;
    run(1500ms);
    EXPECT_TRUE(log.mentions("lidar: no data; it is started again"));
    device->is_silent = false;
    points.clear();
    run(6s);
    expect_room();
}

TEST_F(RplidarLidarTest, StampsPointsBeforeTheirArrival) {
    make(c1, 460'800);
    run(2s);
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_LT(points[i].at, now + 1ns);
        EXPECT_GT(points[i].at, points[i - 1].at - 3ms);
    }
}

}  // namespace
}  // namespace caribou::devices
