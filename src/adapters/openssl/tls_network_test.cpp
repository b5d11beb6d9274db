#include "adapters/openssl/tls_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/openssl/tls_fixture.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/// The first message of a TLS 1.2 client.
std::string hello_of_tls_1_2() {
    std::string hello("\x16\x03\x01\x00\x2d\x01\x00\x00\x29\x03\x03", 11);
    hello.append(32, 'r');
    return hello + std::string("\x00\x00\x02\xc0\x2f\x01\x00", 7);
}

TEST(TlsNetwork, CarriesBytesBothWays) {
    TlsRig rig;
    rig.dial();
    rig.loop.run_ready();
    ASSERT_THAT(rig.client.heard, ElementsAre("open"));
    ASSERT_TRUE(rig.server.stream);
    EXPECT_EQ(rig.client.write("from the station"), "16");
    EXPECT_EQ(rig.server.write("from the robot"), "14");
    rig.loop.run_ready();
    EXPECT_EQ(rig.server.received, "from the station");
    EXPECT_EQ(rig.client.received, "from the robot");
    EXPECT_EQ(rig.robot.counts().let_in, 1);
}

TEST(TlsNetwork, TellsBothEndsTheKeyAndTheSameSecrets) {
    TlsRig rig;
    rig.dial();
    rig.loop.run_ready();
    EXPECT_EQ(secured(rig.server).key(), link::id_of(rig.key));
    EXPECT_EQ(secured(rig.client).key(), link::id_of(rig.key));
    const link::SecretKey first = secured(rig.client).derive("datagrams");
    EXPECT_EQ(first, secured(rig.server).derive("datagrams"));
    EXPECT_NE(first, secured(rig.server).derive("something else"));
    rig.dial();
    rig.loop.run_ready();
    EXPECT_NE(first, secured(rig.client).derive("datagrams")) << "another connection has other secrets";
}

TEST(TlsNetwork, HidesWhatItCarries) {
    TlsRig rig;
    StreamWitness eavesdropper;
    const auto plain =
        rig.robot_host->listen(Address::ip("robot", 9700),
                               [&](std::unique_ptr<Stream> stream) { eavesdropper.take(std::move(stream)); });
    rig.client.stream = rig.station.connect(Address::ip("robot", 9700), rig.client);
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.write("a secret"), "0") << "nothing leaves before the other end is proven";
    EXPECT_THAT(eavesdropper.received, testing::Not(HasSubstr("secret")));
}

TEST(TlsNetwork, RefusesAKeyThatItDoesNotKnow) {
    TlsRig rig;
    rig.dial_with(test_key(2));
    rig.loop.run_ready();
    ASSERT_EQ(rig.client.heard.size(), 1);
    EXPECT_THAT(rig.client.heard[0],
                HasSubstr("failed: refused: robot:9600: the other side does not have this key"));
    EXPECT_TRUE(rig.log.mentions("station with key " + to_string(link::id_of(test_key(2))) +
                                 " was refused: station:"));
    EXPECT_TRUE(rig.log.mentions("there is no such key here"));
    EXPECT_FALSE(rig.server.stream);
}

TEST(TlsNetwork, RefusesWhoNamesAKeyWithoutHoldingIt) {
    TlsRig rig;
    const auto liar = [](link::KeyId) -> Result<link::SecretKey> { return test_key(3); };
    TlsNetwork other(rig.loop, *rig.robot_host, rig.log, {.keys = liar});
    const auto listener =
        other.listen(Address::ip("robot", 9700), [](std::unique_ptr<Stream>) { FAIL() << "let in"; });
    rig.client.stream = rig.station.connect(Address::ip("robot", 9700), rig.client);
    rig.loop.run_ready();
    ASSERT_EQ(rig.client.heard.size(), 1);
    EXPECT_THAT(rig.client.heard[0], HasSubstr("a different key under the same id"));
    EXPECT_TRUE(rig.log.mentions("it does not hold the key that it names"));
}

TEST(TlsNetwork, RefusesAnOldVersion) {
    TlsRig rig;
    rig.dial_plainly();
    rig.loop.run_ready();
    rig.client.write(hello_of_tls_1_2());
    rig.loop.run_ready();
    EXPECT_TRUE(rig.log.mentions("it does not speak TLS 1.3")) << rig.log.lines.at(0).text;
    EXPECT_FALSE(rig.server.stream);
}

TEST(TlsNetwork, RefusesPlainBytes) {
    for (const std::string_view words :
         {"GET / HTTP/1.1\r\n\r\n", "ELKS CAN'T DANCE 2/8/10..............."}) {
        TlsRig rig;
        rig.dial_plainly();
        rig.loop.run_ready();
        rig.client.write(words);
        rig.loop.run_ready();
        EXPECT_TRUE(
            rig.log.mentions("the peer does not speak TLS; plain programs connect through `caribou tunnel`"));
        EXPECT_EQ(rig.robot.counts().refused, 1);
    }
}

TEST(TlsNetwork, TellsAClientThatNobodySpeaksTlsThere) {
    TlsRig rig;
    StreamWitness plain;
    const auto listener =
        rig.robot_host->listen(Address::ip("robot", 9700), [&](std::unique_ptr<Stream> stream) {
            plain.take(std::move(stream));
            plain.write("welcome, whoever you are");
        });
    rig.client.stream = rig.station.connect(Address::ip("robot", 9700), rig.client);
    rig.loop.run_ready();
    EXPECT_THAT(rig.client.heard.at(0), HasSubstr("the peer does not speak TLS"));
}

TEST(TlsNetwork, GivesUpASlowHandshake) {
    TlsRig rig;
    rig.dial_plainly();
    rig.loop.run_ready();
    rig.client.write(hello_of_tls_1_2().substr(0, 20));
    rig.loop.advance(4999ms);
    EXPECT_FALSE(rig.client.end.has_value());
    rig.loop.advance(2ms);
    EXPECT_EQ(rig.client.end_code(), Code::closed);
    EXPECT_TRUE(rig.log.mentions("has not proven who it is within 5 s"));
}

TEST(TlsNetwork, DropsTheSlowestWhenTooManyConnect) {
    TlsRig rig(0, {}, {.handshakes = 3});
    std::array<StreamWitness, 4> slow;
    for (StreamWitness& one : slow) {
        one.stream = rig.station_host->connect(rig.listener->address(), one);
        rig.loop.run_ready();
    }
    EXPECT_EQ(slow[0].end_code(), Code::closed);
    EXPECT_FALSE(slow[1].end.has_value());
    rig.dial();
    rig.loop.run_ready();
    EXPECT_THAT(rig.client.heard, ElementsAre("open")) << "who is quick gets in";
}

TEST(TlsNetwork, LetsInWhoProvesAKeyHoweverManyHaveFailedInItsName) {
    TlsRig rig;
    bool wrong = true;
    TlsNetwork other(
        rig.loop, *rig.robot_host, rig.log,
        {.keys = [&](link::KeyId) -> Result<link::SecretKey> { return wrong ? test_key(3) : rig.key; }});
    const Address at = Address::ip("robot", 9700);
    const auto listener =
        other.listen(at, [&](std::unique_ptr<Stream> stream) { rig.server.take(std::move(stream)); });
    for (int i = 0; i < 20; ++i) {
        rig.client.stream = rig.station.connect(at, rig.client);
        rig.loop.run_ready();
    }
    EXPECT_EQ(other.counts().refused, 20);
    EXPECT_EQ(rig.log.lines.size(), 1) << "logged once, counted always";
    wrong = false;
    rig.client.stream = rig.station.connect(at, rig.client);
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.heard.back(), "open");
}

TEST(TlsNetwork, SharesTheTurnWithEverybodyElse) {
    TlsRig rig(0, {}, {.steps_per_turn = 2});
    std::vector<StreamWitness> many(12);
    for (StreamWitness& one : many) one.stream = rig.station.connect(rig.listener->address(), one);
    std::vector<std::unique_ptr<Stream>> accepted;
    const auto all_stand = [&] { return rig.robot.counts().let_in == many.size(); };
    EXPECT_TRUE(rig.loop.run_until(all_stand, 1s));
    EXPECT_GT(rig.loop.clock().now(), Instant{}) << "it took more than one turn";
}

TEST(TlsNetwork, NeitherListensNorConnectsForDatagrams) {
    TlsRig rig;
    EXPECT_EQ(rig.robot.bind(Address::ip("robot", 0), [] {}).error().code, Code::unavailable);
}

}  // namespace
}  // namespace caribou
