#include <vector>

#include "adapters/openssl/tls_fixture.hpp"
#include "adapters/openssl/tls_network.hpp"
#include "platform/socket_fixture.hpp"

namespace caribou {
namespace {

using TlsOverSockets = SocketTest;

TEST_F(TlsOverSockets, CarriesMegabytes) {
    const link::SecretKey key = test_key(1);
    TlsNetwork secured(loop, network, log, {.keys = TlsRig::knows(key), .own_key = key});
    const auto opened =
        secured.listen(any_ipv4, [&](std::unique_ptr<Stream> s) { server.take(std::move(s)); });
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    client.stream = secured.connect((*opened)->address(), client);
    ASSERT_TRUE(comes([&] { return server.stream != nullptr && client.opened == 1; }));

    const std::string text(5'000'000, 'x');
    std::string_view left = text;
    client.when_writable = [&] {
        const ByteView piece = bytes_of(left);
        const auto taken = client.stream->write({&piece, 1});
        ASSERT_TRUE(taken.has_value()) << taken.error().message;
        left.remove_prefix(*taken);
    };
    client.when_writable();
    EXPECT_FALSE(left.empty()) << "so much does not fit on the way";
    ASSERT_TRUE(comes([&] { return server.received.size() == text.size(); }));
    EXPECT_EQ(server.received, text);
    client.stream.reset();
    ASSERT_TRUE(comes([&] { return server.end.has_value(); }));
    EXPECT_EQ(server.end->code, Code::closed);
}

TEST_F(TlsOverSockets, LetsManyInAtOnce) {
    const link::SecretKey key = test_key(1);
    TlsNetwork secured(loop, network, log, {.keys = TlsRig::knows(key), .own_key = key});
    std::vector<std::unique_ptr<Stream>> accepted;
    const auto opened =
        secured.listen(any_ipv4, [&](std::unique_ptr<Stream> s) { accepted.push_back(std::move(s)); });
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    std::vector<StreamEnd> many(100);
    for (StreamEnd& one : many) one.stream = secured.connect((*opened)->address(), one);
    EXPECT_TRUE(comes([&] { return accepted.size() == many.size(); }));
    EXPECT_EQ(secured.counts().refused, 0);
}

}  // namespace
}  // namespace caribou
