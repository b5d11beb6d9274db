#include "platform/socket_fixture.hpp"

namespace caribou {

using SocketStreamTest = SocketTest;

TEST_F(SocketStreamTest, CarriesBytesBothWaysOverTcp) {
    join(any_ipv4);
    client.send("hello");
    ASSERT_TRUE(comes([this] { return server.received == "hello"; }));
    server.send("hello yourself");
    ASSERT_TRUE(comes([this] { return client.received == "hello yourself"; }));
}

}  // namespace caribou
