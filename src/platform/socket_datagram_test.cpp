#include "platform/socket_fixture.hpp"

namespace caribou {

class SocketDatagramTest : public SocketTest {
protected:
    struct Packet {
        Address from;
        std::string text;
        friend bool operator==(const Packet&, const Packet&) = default;
    };

    std::optional<Packet> next(Datagram& at, std::size_t room_size = 2048) {
        std::vector<std::byte> room(room_size);
        const auto got = at.receive(room).value();
        if (!got) return std::nullopt;
        return Packet{got->from, std::string(text_of(ByteView(room).first(got->size)))};
    }

    void carries(const Address& at) {
        int heard = 0;
        const auto one = network.bind(at, [] {}).value();
        const auto two = network.bind(at, [&] { ++heard; }).value();
        EXPECT_NE(one->address().port, 0);
        ASSERT_TRUE(one->send(two->address(), bytes_of("ping")).has_value());
        ASSERT_TRUE(comes([&] { return heard > 0; }));
        EXPECT_EQ(next(*two), (Packet{one->address(), "ping"}));
        EXPECT_EQ(next(*two), std::nullopt);
    }
};

TEST_F(SocketDatagramTest, CarriesPacketsAndTheirSender) { carries(any_ipv4); }

TEST_F(SocketDatagramTest, CarriesPacketsOverIpv6) {
    if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 loopback";
    carries(any_ipv6);
}

TEST_F(SocketDatagramTest, TellsAgainWhileAnythingIsLeft) {
    std::vector<std::string> heard;
    std::unique_ptr<Datagram> two;
    two = network.bind(any_ipv4, [&] { heard.push_back(next(*two).value().text); }).value();
    const auto one = network.bind(any_ipv4, [] {}).value();
    for (const char* text : {"a", "b", "", "c"})
        ASSERT_TRUE(one->send(two->address(), bytes_of(text)).has_value());
    ASSERT_TRUE(comes([&] { return heard.size() == 4; }));
    EXPECT_EQ(heard, (std::vector<std::string>{"a", "b", "", "c"}));
}

TEST_F(SocketDatagramTest, CutsAPacketThatIsLargerThanTheRoom) {
    bool heard = false;
    const auto at = network.bind(any_ipv4, [&] { heard = true; }).value();
    ASSERT_TRUE(at->send(at->address(), bytes_of("long packet")).has_value());
    ASSERT_TRUE(comes([&] { return heard; }));
    EXPECT_EQ(next(*at, 4)->text, "long");
    EXPECT_EQ(next(*at), std::nullopt);
}

TEST_F(SocketDatagramTest, SendsToLocalhostButToNoOtherName) {
    bool heard = false;
    const auto at = network.bind(Address::ip("localhost", 0), [&] { heard = true; }).value();
    EXPECT_TRUE(at->send(Address::ip("localhost", at->address().port), bytes_of("x")).has_value());
    EXPECT_TRUE(comes([&] { return heard; }));
    const auto refused = at->send(Address::ip("robot.local", 1), bytes_of("x"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, Code::invalid_argument);
}

TEST_F(SocketDatagramTest, RefusesPacketsThatAreTooLong) {
    const auto at = network.bind(any_ipv4, [] {}).value();
    const auto refused = at->send(at->address(), bytes_of(std::string(70000, 'x')));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, Code::limit_exceeded);
}

TEST_F(SocketDatagramTest, RefusesATakenPortAndUnixPaths) {
    const auto at = network.bind(any_ipv4, [] {}).value();
    const auto taken = network.bind(at->address(), [] {});
    ASSERT_FALSE(taken.has_value());
    EXPECT_EQ(taken.error().code, Code::already_exists);
    EXPECT_FALSE(network.bind(Address::unix_path("/tmp/x"), [] {}).has_value());
}

TEST_F(SocketDatagramTest, MayBeDestroyedInItsOwnEvent) {
    const auto held = std::make_shared<std::string>("still here");
    std::string seen;
    std::unique_ptr<Datagram> at;
    at = network
             .bind(any_ipv4,
                   [&at, &seen, held] {
                       at.reset();
                       seen = *held;
                   })
             .value();
    ASSERT_TRUE(at->send(at->address(), bytes_of("x")).has_value());
    ASSERT_TRUE(comes([&] { return !seen.empty(); }));
    EXPECT_EQ(seen, "still here");
}

}  // namespace caribou
