// The BlueZ radio against a mock of BlueZ, on a private bus.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "adapters/bluez/bluez_radio.hpp"
#include "bluez/mock_bluez.hpp"
#include "bluez/private_bus.hpp"
#include "cubes/cube_uuids.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using namespace cubes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using Kind = RadioStatus::Kind;

constexpr Duration limit = 60s;
constexpr CubeAddress near{0xc0be'0000'0001};
constexpr CubeAddress far{0xc0be'0000'0002};
constexpr CubeAddress headphones{0xaabb'0000'0003};

const char* const access_denied = "org.freedesktop.DBus.Error.AccessDenied";

/// Records all events of a radio.
struct Heard final : RadioEvents {
    void on_status(const RadioStatus& status) override { statuses.push_back(status); }
    void on_advertisement(const Advertisement& advertisement) override { seen.push_back(advertisement); }
    void on_connected() override { ++connected; }
    void on_connect_failed(const Error& why) override { failed = why; }
    void on_disconnected(const Error& why) override { disconnected = why; }
    void on_value(Characteristic from, ByteView value) override {
        values.emplace_back(from, std::string(text_of(value)));
    }
    void on_written(Characteristic to) override { written.push_back(to); }

    std::vector<RadioStatus> statuses;
    std::vector<Advertisement> seen;
    int connected = 0;
    std::optional<Error> failed;
    std::optional<Error> disconnected;
    std::vector<std::pair<Characteristic, std::string>> values;
    std::vector<Characteristic> written;
};

/// A radio on a bus on which BlueZ is not running yet. Tests wait for events; the limit only ends a failing
/// test.
class BluezRadioTest : public testing::Test {
protected:
    BluezRadioTest() { radio.attach(&heard); }

    testing::AssertionResult comes(std::move_only_function<bool() const> condition) {
        if (loop.run_until(condition, limit)) return testing::AssertionSuccess();
        return testing::AssertionFailure() << "did not come within the limit; the radio is "
                                           << to_string(radio.status().kind) << ": " << radio.status().text;
    }
    testing::AssertionResult becomes(Kind kind) {
        return comes([this, kind] { return radio.is_known() && radio.status().kind == kind; });
    }

    void start_bluez() {
        if (!bluez) bluez.emplace(bus.address());
        bluez->add_device(near, std::string(cube_name), -50);
        ASSERT_TRUE(becomes(Kind::ready));
    }
    void find_cube() {
        heard.seen.clear();
        ASSERT_TRUE(radio.start_scan().has_value());
        ASSERT_TRUE(comes([this] { return !heard.seen.empty(); }));
    }
    void connect_cube() {
        find_cube();
        const int before = heard.connected;
        ASSERT_TRUE(radio.connect(near).has_value());
        ASSERT_TRUE(comes([this, before] { return heard.connected == before + 1; }));
    }
    /// Expects that the link is lost with this reason, and that another connection succeeds at once.
    void expect_loss(std::string_view why) {
        ASSERT_TRUE(comes([this] { return heard.disconnected.has_value(); }));
        EXPECT_EQ(heard.disconnected->code, Code::unreachable);
        EXPECT_THAT(heard.disconnected->message, HasSubstr(why));
        EXPECT_EQ(radio.write(Characteristic::app_write, {}).error().code, Code::wrong_state);
    }

    PrivateBus bus;
    std::optional<MockBluez> bluez;
    EventLoop loop;
    MemoryLog log;
    Heard heard;
    BluezRadio radio{loop, log, {.address = bus.address(), .retry = 50ms}};
};

TEST_F(BluezRadioTest, FindsCubesAndNothingElse) {
    start_bluez();
    bluez->add_device(headphones, "Headphones", -30);
    bluez->add_device(far, std::string(cube_name), -80);
    ASSERT_TRUE(radio.start_scan().has_value());
    ASSERT_TRUE(comes([this] { return heard.seen.size() >= 2; }));
    radio.stop_scan();
    EXPECT_THAT(heard.seen, testing::IsSupersetOf({Advertisement{near, "Vector Cube", -50},
                                                   Advertisement{far, "Vector Cube", -80}}));
    for (const Advertisement& seen : heard.seen) EXPECT_NE(seen.address, headphones);
}

TEST_F(BluezRadioTest, ExchangesMessagesBothWays) {
    start_bluez();
    connect_cube();
    EXPECT_TRUE(bluez->is_connected(near));
    ASSERT_TRUE(radio.read(Characteristic::version).has_value());
    for (const char* text : {"first", "second", "third"})
        ASSERT_TRUE(radio.write(Characteristic::app_write, bytes_of(text)).has_value());
    ASSERT_TRUE(radio.write(Characteristic::firmware, bytes_of("image")).has_value());
    ASSERT_TRUE(comes([this] { return heard.written.size() == 4; }));
    bluez->notify(near, Characteristic::app_read, bytes_of("moved"));
    bluez->notify(near, Characteristic::app_read, bytes_of("moved"));
    bluez->notify(near, Characteristic::version, bytes_of("1.0.1"));
    ASSERT_TRUE(comes([this] { return heard.values.size() >= 4; }));

    EXPECT_THAT(heard.values,
                ElementsAre(Pair(Characteristic::version, "1.0.0"), Pair(Characteristic::app_read, "moved"),
                            Pair(Characteristic::app_read, "moved"), Pair(Characteristic::version, "1.0.1")));
    EXPECT_EQ(heard.written.back(), Characteristic::firmware);
    std::vector<std::string> written;
    for (const auto& [uuid, value] : bluez->written())
        written.push_back(uuid.substr(0, 4) + " " + std::string(text_of(value)));
    EXPECT_THAT(written, ElementsAre("0ea7 first", "0ea7 second", "0ea7 third", "9590 image"));
}

TEST_F(BluezRadioTest, DisconnectsWhenAskedTo) {
    start_bluez();
    connect_cube();
    ASSERT_TRUE(radio.disconnect().has_value());
    ASSERT_TRUE(comes([this] { return heard.disconnected.has_value(); }));
    EXPECT_EQ(heard.disconnected->code, Code::closed);
    EXPECT_FALSE(bluez->is_connected(near));
    EXPECT_EQ(radio.disconnect().error().code, Code::wrong_state);
}

TEST_F(BluezRadioTest, GivesAnAttemptUpWhenAskedTo) {
    start_bluez();
    find_cube();
    ASSERT_TRUE(radio.connect(near).has_value());
    ASSERT_TRUE(radio.disconnect().has_value());
    ASSERT_TRUE(comes([this] { return heard.disconnected.has_value(); }));
    EXPECT_EQ(heard.disconnected->code, Code::closed);
    EXPECT_EQ(heard.connected, 0);
    EXPECT_FALSE(bluez->is_connected(near));
}

TEST_F(BluezRadioTest, MayBeAskedAgainWhenBluezDoesNotDisconnect) {
    start_bluez();
    connect_cube();
    bluez->refuse("Disconnect", "org.bluez.Error.Failed");
    ASSERT_TRUE(radio.disconnect().has_value());
    ASSERT_TRUE(comes([this] { return log.mentions("did not disconnect"); }));
    EXPECT_FALSE(heard.disconnected);
    bluez->allow("Disconnect");
    ASSERT_TRUE(radio.disconnect().has_value());
    ASSERT_TRUE(comes([this] { return heard.disconnected.has_value(); }));
    EXPECT_EQ(heard.disconnected->code, Code::closed);
}

TEST_F(BluezRadioTest, TellsWhyThereIsNoLink) {
    start_bluez();
    find_cube();
    EXPECT_EQ(radio.connect(far).error().code, Code::not_found);
    bluez->refuse("Connect", "org.bluez.Error.Failed");
    ASSERT_TRUE(radio.connect(near).has_value());
    EXPECT_EQ(radio.connect(near).error().code, Code::wrong_state);
    ASSERT_TRUE(comes([this] { return heard.failed.has_value(); }));
    EXPECT_EQ(heard.failed->message, "Connect is refused");
    EXPECT_TRUE(radio.status().ready());
}

TEST_F(BluezRadioTest, TakesNoOtherDeviceForACube) {
    bluez.emplace(bus.address());
    bluez->add_device(headphones, "Headphones", -30);
    start_bluez();
    find_cube();
    ASSERT_TRUE(radio.connect(headphones).has_value());
    ASSERT_TRUE(comes([this] { return heard.failed.has_value(); }));
    EXPECT_THAT(heard.failed->message, HasSubstr("not a cube: it lacks the characteristic app_write"));
    connect_cube();
    EXPECT_FALSE(bluez->is_connected(headphones));
}

TEST_F(BluezRadioTest, GoesOnAfterAWriteThatFailed) {
    start_bluez();
    connect_cube();
    bluez->refuse("WriteValue", "org.bluez.Error.Failed");
    ASSERT_TRUE(radio.write(Characteristic::app_write, bytes_of("lost")).has_value());
    ASSERT_TRUE(comes([this] { return log.mentions("app_write cannot be written: WriteValue is refused"); }));
    bluez->allow("WriteValue");
    ASSERT_TRUE(radio.write(Characteristic::app_write, bytes_of("kept")).has_value());
    ASSERT_TRUE(comes([this] { return heard.written.size() == 1; }));
}

TEST_F(BluezRadioTest, TakesNoMoreThanItsLimits) {
    start_bluez();
    connect_cube();
    const Bytes value(max_value_size);
    EXPECT_EQ(radio.write(Characteristic::app_write, Bytes(max_value_size + 1)).error().code,
              Code::limit_exceeded);
    for (std::size_t i = 0; i < BluezRadio::max_exchanges; ++i)
        ASSERT_TRUE(radio.write(Characteristic::app_write, value).has_value());
    EXPECT_EQ(radio.write(Characteristic::app_write, value).error().code, Code::limit_exceeded);
    ASSERT_TRUE(comes([this] { return heard.written.size() == BluezRadio::max_exchanges; }));
}

TEST_F(BluezRadioTest, LosesTheLinkWhenTheAdapterIsSwitchedOffAndRecovers) {
    start_bluez();
    connect_cube();
    bluez->set_powered(false);
    ASSERT_TRUE(becomes(Kind::off));
    expect_loss("switched off");
    EXPECT_EQ(radio.start_scan().error().code, Code::unavailable);
    bluez->set_powered(true);
    ASSERT_TRUE(becomes(Kind::ready));
    bluez->drop_link(near);
    connect_cube();
}

TEST_F(BluezRadioTest, LosesTheLinkWithTheAdapterAndRecovers) {
    start_bluez();
    connect_cube();
    bluez->remove_adapter();
    ASSERT_TRUE(becomes(Kind::unavailable));
    EXPECT_THAT(radio.status().text, HasSubstr("no Bluetooth adapter"));
    expect_loss("the cube has gone");
    bluez->add_adapter();
    ASSERT_TRUE(becomes(Kind::ready));
    connect_cube();
}

TEST_F(BluezRadioTest, LosesTheLinkWhenTheCubeIsNotHeardAnyMore) {
    start_bluez();
    connect_cube();
    bluez->drop_link(near);
    expect_loss("not heard any more");
    EXPECT_TRUE(radio.status().ready());
    connect_cube();
}

TEST_F(BluezRadioTest, LosesTheLinkWhenTheDeviceVanishes) {
    start_bluez();
    connect_cube();
    bluez->remove_device(near);
    expect_loss("the cube has gone");
    EXPECT_EQ(radio.connect(near).error().code, Code::not_found);
}

TEST_F(BluezRadioTest, TellsThatScanningIsDeniedAndRecovers) {
    start_bluez();
    bluez->refuse("StartDiscovery", access_denied);
    bluez->refuse("SetDiscoveryFilter", access_denied);
    ASSERT_TRUE(radio.start_scan().has_value());
    ASSERT_TRUE(becomes(Kind::denied));
    EXPECT_THAT(radio.status().text, HasSubstr("group `bluetooth`"));
    bluez->allow("StartDiscovery");
    bluez->allow("SetDiscoveryFilter");
    ASSERT_TRUE(becomes(Kind::ready));
    connect_cube();
}

TEST_F(BluezRadioTest, TellsThatTheBusDeniesBluezAndRecovers) {
    bus.stop();
    bus.set_policy(false);
    bus.start();
    bluez.emplace(bus.address());
    ASSERT_TRUE(becomes(Kind::denied));
    EXPECT_EQ(radio.status().text, "this user may not use BlueZ: add it to the group `bluetooth`");
    bus.set_policy(true);
    ASSERT_TRUE(becomes(Kind::ready));
    start_bluez();
    connect_cube();
}

TEST_F(BluezRadioTest, LosesTheLinkWithTheDaemonAndRecoversWithTheNextOne) {
    start_bluez();
    connect_cube();
    bluez.reset();
    ASSERT_TRUE(becomes(Kind::unavailable));
    expect_loss("systemctl start bluetooth");
    start_bluez();
    EXPECT_EQ(radio.connect(near).error().code, Code::not_found) << "the new one knows it as well";
    connect_cube();
}

TEST_F(BluezRadioTest, FindsTheDaemonThatStartsLater) {
    ASSERT_TRUE(becomes(Kind::unavailable));
    EXPECT_THAT(radio.status().text, HasSubstr("BlueZ does not run"));
    EXPECT_EQ(radio.start_scan().error().message, radio.status().text);
    start_bluez();
    EXPECT_THAT(heard.statuses.back().kind, Kind::ready);
}

TEST_F(BluezRadioTest, FindsTheBusThatComesBack) {
    start_bluez();
    connect_cube();
    bus.stop();
    ASSERT_TRUE(becomes(Kind::unavailable));
    expect_loss("the system bus cannot be reached");
    bluez.reset();
    bus.start();
    start_bluez();
    connect_cube();
}

/// The program, which finds the bus through its environment.
class BluezCli : public testing::Test {
protected:
    ChildProcess::End cubes(std::vector<std::string> words) const {
        words.insert(words.begin(), {in_build("caribou"), "cubes"});
        words.insert(words.end(), {"--radio", "bluez", "--preference", folder / "preferred"});
        auto end = ChildProcess(words, {"DBUS_SYSTEM_BUS_ADDRESS=" + bus.address()}).wait(limit);
        return end ? std::move(*end) : ChildProcess::End{-1, "", "it does not end"};
    }

    TemporaryFolder folder;
    PrivateBus bus;
};

TEST_F(BluezCli, ConnectsToTheCubeOnTheAir) {
    MockBluez bluez(bus.address());
    bluez.add_device(near, std::string(cube_name), -50);
    EXPECT_EQ(cubes({"prefer", to_string(near)}).code, 0);
    const auto end = cubes({"status", "--for", "1ms"});
    EXPECT_THAT(end.out, HasSubstr("connected c0:be:00:00:00:01, firmware 1.0.0\n")) << end.err;
    const auto written = bluez.written();
    ASSERT_FALSE(written.empty()) << "the connection lights";
    EXPECT_EQ(written.front().first, uuid_of(Characteristic::app_write));
}

TEST_F(BluezCli, SaysWhyThereIsNoRadio) {
    const auto without_bluez = cubes({"list"});
    EXPECT_EQ(without_bluez.code, 1);
    EXPECT_EQ(without_bluez.err,
              "caribou cubes list: BlueZ does not run: start it, with `systemctl start bluetooth`\n");
    bus.stop();
    const auto without_bus = cubes({"list"});
    EXPECT_EQ(without_bus.code, 1);
    EXPECT_THAT(without_bus.err, HasSubstr("the system bus cannot be reached"));
}

}  // namespace
}  // namespace caribou::tests
