// A complete robot and station over TLS and UDP on this machine.

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/openssl/tls_network.hpp"
#include "adapters/robot_files/link_record_file.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/clock.hpp"
#include "motion/body_rig.hpp"
#include "motion/thread_propulsion.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/robot.hpp"
#include "station/fleet.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr Duration long_enough = 60s;

/// A machine that was started 7 s ago, at this time of day.
class TimeOfDay final : public Clock {
public:
    explicit TimeOfDay(double unix_seconds) : unix_seconds_(unix_seconds) {}
    Instant now() const override { return Instant(7s); }
    WallTime wall() const override { return {}; }
    double unix_seconds() const override { return unix_seconds_; }

private:
    double unix_seconds_;
};

link::PairedKey key_for(const std::string& name, std::uint8_t secret) {
    std::array<std::byte, link::SecretKey::size> bytes{};
    bytes.fill(static_cast<std::byte>(secret));
    return {name, link::Role::admin, "2026-01-31T12:00:00Z", link::SecretKey(bytes)};
}

robot::RobotConfig config_of(std::uint16_t send_port) {
    robot::RobotConfig config;
    config.name = "rover";
    config.send_port = send_port;
    config.receive_port = 0;
    config.connect_to_me = 0.1;
    return config;
}

/// The robot program with a simulated body. Destroying it simulates a power failure.
class LiveRobot final : motion::MotionEvents {
public:
    LiveRobot(Loop& loop, Network& sockets, const link::PairedKey& station, std::uint16_t send_port,
              const std::string& record, Log& log)
        : strand(loop),
          keys({station}),
          cookie(LinkRecordFile::open(record, TimeOfDay(1)).value()),
          trust(keys, *cookie, {.robot = "rover", .boot = cookie->boot()}),
          streams(loop, sockets, log, {.keys = [this](link::KeyId id) -> Result<link::SecretKey> {
                      auto found = trust.admit(id);
                      if (!found) return fail(found.error());
                      return found->key;
                  }}),
          body(loop.clock()),
          radio(loop),
          propulsion(loop, body, settings, *this),
          robot({.strands = {strand, strand, strand, strand, strand, strand},
                 .transmission_network = sockets,
                 .receiver_network = streams,
                 .body = body,
                 .motion = propulsion,
                 .buffers = buffers,
                 .ai = {.radio = radio,
                        .preferences = preferences,
                        .add_classes = {},
                        .read_file = [](const std::string&) -> Result<std::string> {
                            return fail(Code::not_found, "there are no files");
                        }},
                 .tree = {},
                 .store = store,
                 .reboots = reboots,
                 .latch = latch,
                 .log = log,
                 .trust = &trust},
                config_of(send_port)) {
        propulsion.start();
        robot.start();
    }

    LocalStrand strand;
    link::MemoryKeyBook keys;
    std::unique_ptr<LinkRecordFile> cookie;
    robot::LinkTrust trust;
    TlsNetwork streams;
    motion::BodyRig body;

private:
    void on_answer(const motion::MotionAnswer& answer) override { inbox.on_answer(answer); }
    void on_report(const motion::MotionReport& report) override { inbox.on_report(report); }

    cubes::SimulatedRadio radio;
    cubes::MemoryPreferenceStore preferences;
    robot::MemoryConfigStore store;
    robot::RebootLimit reboots{{}, ""};
    motion::MemoryLatchStore latch;
    robot::RobotBuffers buffers{strand};
    robot::MotionInbox inbox{buffers};
    motion::MotionSettings settings;
    motion::ThreadPropulsion propulsion;
    robot::Robot robot;
};

/// Forwards the robot's datagrams to the station and records them.
class Relay {
public:
    explicit Relay(Network& sockets)
        : socket_(sockets.bind(Address::ip("127.0.0.1", 0), [this] { hand_on(); }).value()) {}

    Address address() const { return socket_->address(); }
    void send(const Bytes& datagram) { std::ignore = socket_->send(station, datagram); }

    Address station;
    std::vector<Bytes> kept;

private:
    void hand_on() {
        std::array<std::byte, link::LinkLimits::datagram> room;
        const auto received = socket_->receive(room).value();
        if (!received) return;
        kept.emplace_back(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(received->size));
        send(kept.back());
    }

    std::unique_ptr<Datagram> socket_;
};

class SecuredLinkOverSockets : public testing::Test, public station::SessionEvents {
protected:
    void start_station(const link::PairedKey& robots) {
        fleet.reset();
        keys.keys = {robots};
        station::FleetSettings settings{.keys = station::FleetKeys{keys, streams}};
        settings.session.send_to = to_string(relay.address());
        fleet = std::make_unique<station::Fleet>(loop, sockets, settings, *this, log);
        relay.station = fleet->listen(Address::ip("127.0.0.1", 0)).value();
    }
    void start_robot(const link::PairedKey& station) {
        rover.reset();
        rover = std::make_unique<LiveRobot>(loop, sockets, station, relay.address().port,
                                            scratch / "rover.link", log);
    }
    bool wait_for_telemetry() {
        return loop.run_until(
            [&] {
                const station::RobotSession* const session = fleet->find("rover");
                return session && station::is_running(session->mode()) && session->telemetry();
            },
            long_enough);
    }
    /// Sends a command and returns the answer as text.
    std::string tell(const std::string& text) {
        std::string answer;
        fleet->find("rover")->send(link::command_from(text).value(), {"ann", link::Role::admin},
                                   [&](const link::Answer& said) { answer = to_string(said); });
        loop.run_until([&] { return !answer.empty(); }, long_enough);
        return answer;
    }

    void on_status(station::RobotSession&) override {}
    void on_telemetry(station::RobotSession&) override {}
    void on_report(station::RobotSession&, std::string_view) override {}
    void on_command(station::RobotSession&, const link::Command&, const station::Asker&) override {}
    void on_answer(station::RobotSession&, const link::Answer&) override {}

    const link::PairedKey of_station = key_for("station", 7);
    const link::PairedKey of_rover = key_for("rover", 7);  // same key, under the station's name
    TemporaryFolder scratch;
    MemoryLog log;
    EventLoop loop;
    SocketNetwork sockets{loop, log};
    Relay relay{sockets};
    link::MemoryKeyBook keys;
    TlsNetwork streams{loop, sockets, log, {}};
    std::unique_ptr<station::Fleet> fleet;
    std::unique_ptr<LiveRobot> rover;
};

TEST_F(SecuredLinkOverSockets, CarriesACommandToTheMotorsAndTelemetryBack) {
    start_station(of_rover);
    start_robot(of_station);
    ASSERT_TRUE(wait_for_telemetry());
    EXPECT_EQ(tell("move_forward level=1"), "DONE");
    EXPECT_TRUE(loop.run_until([&] { return rover->body.driven != motion::WheelSpeeds{}; }, long_enough));
    for (const Bytes& datagram : relay.kept) EXPECT_EQ(text_of(ByteView(datagram).first(4)), "CSEA");
    EXPECT_EQ(fleet->counts().refused, 0U);
    EXPECT_EQ(rover->cookie->station(), "station");
}

TEST_F(SecuredLinkOverSockets, RefusesWhatWasHeardBefore) {
    start_station(of_rover);
    start_robot(of_station);
    ASSERT_TRUE(wait_for_telemetry());
    const std::vector<Bytes> heard = relay.kept;
    for (const Bytes& datagram : heard) relay.send(datagram);
    EXPECT_TRUE(loop.run_until([&] { return fleet->counts().refused >= heard.size(); }, long_enough));
    EXPECT_TRUE(station::is_running(fleet->find("rover")->mode()));
}

TEST_F(SecuredLinkOverSockets, ConnectsNobodyWithAnotherKey) {
    start_station(of_rover);
    start_robot(key_for("station", 8));
    EXPECT_TRUE(loop.run_until([&] { return fleet->counts().refused >= 2; }, long_enough));
    EXPECT_FALSE(fleet->find("rover"));
    EXPECT_TRUE(log.mentions("there is no key with the id"));
}

TEST_F(SecuredLinkOverSockets, StandsAgainAfterEitherEndWasCutOff) {
    start_station(of_rover);
    start_robot(of_station);
    ASSERT_TRUE(wait_for_telemetry());
    const std::uint64_t boot = rover->cookie->boot();
    start_robot(of_station);
    EXPECT_EQ(rover->cookie->boot(), boot + 1);
    EXPECT_EQ(rover->cookie->station(), "station");
    EXPECT_TRUE(
        loop.run_until([&] { return !station::is_running(fleet->find("rover")->mode()); }, long_enough));
    ASSERT_TRUE(wait_for_telemetry());
    EXPECT_EQ(tell("ping"), "DONE");
    start_station(of_rover);
    ASSERT_TRUE(wait_for_telemetry());
    EXPECT_EQ(tell("ping"), "DONE");
}

TEST(LinkRecordFile, CountsStartsThroughWhateverHappens) {
    const TemporaryFolder scratch;
    const std::string path = scratch / "new" / "rover.link";
    EXPECT_EQ(LinkRecordFile::open(path, TimeOfDay(0)).value()->boot(), 1U);
    EXPECT_EQ(LinkRecordFile::open(path, TimeOfDay(1'000'000)).value()->boot(), 1'000'000U);
    const auto back_in_time = LinkRecordFile::open(path, TimeOfDay(5)).value();
    EXPECT_EQ(back_in_time->boot(), 1'000'001U);
    EXPECT_TRUE(back_in_time->keep("hq"));
    EXPECT_EQ(LinkRecordFile::open(path, TimeOfDay(5)).value()->station(), "hq");
    EXPECT_TRUE(LinkRecordFile::open(path, TimeOfDay(5)).value()->drop());
    EXPECT_EQ(LinkRecordFile::open(path, TimeOfDay(5)).value()->station(), "");
    scratch.write("torn.link", "boot = 1e99\n");
    const auto torn = LinkRecordFile::open(scratch / "torn.link", TimeOfDay(5));
    ASSERT_FALSE(torn);
    EXPECT_THAT(torn.error().message, HasSubstr("torn.link is damaged"));
}

TEST(LinkRecordFile, CountsAStartThatItCannotStore) {
    const TemporaryFolder scratch;
    const std::string path = scratch / "rover.link";
    EXPECT_EQ(LinkRecordFile::open(path, TimeOfDay(100)).value()->not_stored(), "");
    std::filesystem::create_directory(path + ".new");  // its draft cannot be written
    const auto unstored = LinkRecordFile::open(path, TimeOfDay(5)).value();
    EXPECT_THAT(unstored->not_stored(), HasSubstr("was not written"));
    EXPECT_EQ(unstored->boot(), 101U + 7U) << "another one than that of an earlier start that is not stored";
}

}  // namespace
}  // namespace caribou
