#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "base/limits.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/socket_fixture.hpp"
#include "platform/socket_stream.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {

using namespace std::chrono_literals;
using SocketStreamTest = SocketTest;

/// The contract of Stream, for every kind of stream.
class EveryStream : public SocketTest, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        const std::string kind = GetParam();
        if (kind == "ipv6" && !has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 loopback";
        join(kind == "ipv4" ? any_ipv4 : kind == "ipv6" ? any_ipv6 : Address::unix_path(folder / "socket"));
    }

    TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryStream, testing::Values("ipv4", "ipv6", "unix"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(EveryStream, CarriesBytesBothWays) {
    client.send("hello");
    ASSERT_TRUE(comes([this] { return server.received == "hello"; }));
    server.send("hello yourself");
    ASSERT_TRUE(comes([this] { return client.received == "hello yourself"; }));
}

TEST_P(EveryStream, CarriesManyPiecesInOneWrite) {
    std::vector<std::string> texts;
    std::string all;
    for (int i = 0; i < 3000; ++i) {  // several times IOV_MAX, with empty pieces among them
        texts.push_back(i % 7 == 0 ? "" : std::to_string(i));
        all += texts.back();
    }
    std::vector<ByteView> pieces;
    for (const std::string& text : texts) pieces.push_back(bytes_of(text));
    EXPECT_EQ(client.stream->write(pieces), all.size());
    ASSERT_TRUE(comes([&] { return server.received.size() == all.size(); }));
    EXPECT_EQ(server.received, all);
}

TEST_P(EveryStream, CarriesMoreThanTheKernelHoldsAndTellsWhenThereIsRoom) {
    // The length of the block is not a power of two, so that misplaced pieces are detected.
    std::string block;
    for (int i = 0; i < 9973; ++i) block += static_cast<char>(i * 31 >> 3);
    std::string all;
    while (all.size() < 20U * 1024 * 1024) all += block;
    std::size_t sent = 0;
    const auto send_rest = [&] {
        const ByteView rest = bytes_of(all).subspan(sent);
        sent += client.stream->write({&rest, 1}).value();
    };
    client.when_writable = send_rest;
    send_rest();
    EXPECT_LT(sent, all.size());
    ASSERT_TRUE(comes([&] { return server.received.size() == all.size(); }));
    EXPECT_EQ(sent, all.size());
    EXPECT_GT(client.writable, 0);
    EXPECT_TRUE(server.received == all);
}

TEST_P(EveryStream, TellsAgainWhileAnythingIsLeft) {
    server.when_readable = [this] { server.read_some(1); };
    client.send("abcde");
    ASSERT_TRUE(comes([this] { return server.received == "abcde"; }));
    EXPECT_GE(server.readable, 5);
}

TEST_P(EveryStream, TellsAgainEvenIfNothingIsRead) {
    server.when_readable = [] {};
    client.send("a");
    EXPECT_TRUE(comes([this] { return server.readable == 3; }));
}

TEST_P(EveryStream, ReportsTheEndAgainAndAgain) {
    client.send("last words");
    client.stream.reset();
    ASSERT_TRUE(comes([this] { return server.end.has_value(); }));
    EXPECT_EQ(server.received, "last words");
    EXPECT_EQ(server.end->code, Code::closed);
    server.end.reset();
    server.stream->set_reading(true);
    ASSERT_TRUE(comes([this] { return server.end.has_value(); }));
    EXPECT_EQ(server.end->code, Code::closed);
}

TEST_P(EveryStream, ReportsALostConnectionToTheWriter) {
    server.stream.reset();
    std::optional<Error> why;
    client.when_readable = [&] {
        const ByteView piece = bytes_of("anyone?");
        const auto taken = client.stream->write({&piece, 1});
        if (!taken) why = taken.error();
    };
    ASSERT_TRUE(comes([&] { return why.has_value(); }));
    EXPECT_EQ(why->code, Code::unreachable);
    EXPECT_NE(why->message.find(client.stream->peer()), std::string::npos) << why->message;
}

TEST_P(EveryStream, IsSilentWhileReadingIsOff) {
    server.stream->set_reading(false);
    client.send("unheard");
    server.send("heard");
    ASSERT_TRUE(comes([this] { return client.received == "heard"; }));
    EXPECT_EQ(server.readable, 0);
    server.stream->set_reading(true);
    ASSERT_TRUE(comes([this] { return server.received == "unheard"; }));
}

TEST_P(EveryStream, ReadsNothingAtPresentAsZero) {
    std::byte room[8];
    EXPECT_EQ(client.stream->read(room), 0U);
    EXPECT_EQ(client.stream->read({}), 0U);
    EXPECT_EQ(client.stream->write({}), 0U);
}

TEST_P(EveryStream, MayBeDestroyedInOnReadable) {
    server.when_readable = [this] { server.stream.reset(); };
    client.send("x");
    ASSERT_TRUE(comes([this] { return client.end.has_value(); }));
    EXPECT_EQ(server.readable, 1);
}

TEST_P(EveryStream, MayBeDestroyedInOnWritable) {
    const std::string much(16 * 1024 * 1024, 'x');
    const ByteView piece = bytes_of(much);
    ASSERT_LT(client.stream->write({&piece, 1}).value(), much.size());
    client.when_writable = [this] { client.stream.reset(); };
    ASSERT_TRUE(comes([this] { return server.end.has_value(); }));
    EXPECT_EQ(client.writable, 1);
}

TEST_P(EveryStream, TellsNothingAfterItsEndEvenIfSomethingIsReady) {
    client.send("x");
    server.send("x");
    // Both are ready in the same turn; the first one closes the other.
    client.when_readable = [this] { server.stream.reset(); };
    server.when_readable = [this] { client.stream.reset(); };
    ASSERT_TRUE(comes([this] { return client.readable + server.readable > 0; }));
    EXPECT_EQ(client.readable + server.readable, 1);
}

TEST_P(EveryStream, CanBeHandedToOtherEvents) {
    StreamEnd other;
    other.take(std::move(server.stream));
    client.send("for the other");
    ASSERT_TRUE(comes([&] { return other.received == "for the other"; }));
    EXPECT_TRUE(server.received.empty());
}

TEST_P(EveryStream, NamesItsPeer) {
    EXPECT_EQ(client.stream->peer(), to_string(listener->address()));
    const std::string pattern =
        std::string(GetParam()) == "unix" ? "process " + std::to_string(getpid()) : ":";
    EXPECT_NE(server.stream->peer().find(pattern), std::string::npos) << server.stream->peer();
}

TEST_F(SocketStreamTest, BlocksTheSenderWhileTheOtherSideDoesNotRead) {
    // A Unix socket counts unread bytes against the sender, so it is full at an exact size.
    const TemporaryFolder folder;
    join(Address::unix_path(folder / "socket"));
    server.stream->set_reading(false);
    const std::string block(64 * 1024, 'x');
    const ByteView piece = bytes_of(block);
    std::size_t sent = 0;
    std::size_t taken = 0;
    do sent += taken = client.stream->write({&piece, 1}).value();
    while (taken == block.size());
    EXPECT_LT(sent, 16U * 1024 * 1024);

    server.send("barrier");
    ASSERT_TRUE(comes([this] { return client.received == "barrier"; }));
    EXPECT_EQ(client.writable, 0);

    server.stream->set_reading(true);
    ASSERT_TRUE(comes([&] { return server.received.size() == sent && client.writable == 1; }));
}

TEST_F(SocketStreamTest, AnAcceptedStreamIsSilentUntilItIsAttached) {
    std::unique_ptr<Stream> accepted;
    listener = network.listen(any_ipv4, [&](std::unique_ptr<Stream> stream) { accepted = std::move(stream); })
                   .value();
    client.stream = network.connect(listener->address(), client);
    ASSERT_TRUE(comes([&] { return accepted != nullptr && client.opened == 1; }));
    client.send("early");
    const std::string much(16 * 1024 * 1024, 'x');
    const ByteView piece = bytes_of(much);
    const std::size_t taken = accepted->write({&piece, 1}).value();
    ASSERT_LT(taken, much.size());
    ASSERT_TRUE(comes([&] { return client.received.size() == taken; }));
    server.take(std::move(accepted));
    ASSERT_TRUE(comes([this] { return server.received == "early" && server.writable == 1; }));
}

TEST_F(SocketStreamTest, TakesNothingBeforeItStandsAndTellsWhenItDoes) {
    listener =
        network.listen(any_ipv4, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); })
            .value();
    client.stream = network.connect(listener->address(), client);
    const ByteView piece = bytes_of("eager");
    EXPECT_EQ(client.stream->write({&piece, 1}), 0U);
    std::byte room[8];
    EXPECT_EQ(client.stream->read(room), 0U);
    EXPECT_EQ(client.opened, 0);
    client.when_writable = [this] { client.send("eager"); };
    ASSERT_TRUE(comes([this] { return server.received == "eager"; }));
    EXPECT_EQ(client.opened, 1);
}

TEST_F(SocketStreamTest, FindsAHostByName) {
    listener =
        network.listen(any_ipv4, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); })
            .value();
    client.stream = network.connect(Address::ip("localhost", listener->address().port), client);
    ASSERT_TRUE(comes([this] { return client.opened == 1 && server.stream != nullptr; }));
    client.send("by name");
    EXPECT_TRUE(comes([this] { return server.received == "by name"; }));
}

TEST_F(SocketStreamTest, FailsToConnectWhereNobodyListens) {
    listener = network.listen(any_ipv4, [](std::unique_ptr<Stream>) {}).value();
    const Address nobody = listener->address();
    listener.reset();
    client.stream = network.connect(nobody, client);
    EXPECT_FALSE(client.failure.has_value());
    ASSERT_TRUE(comes([this] { return client.failure.has_value(); }));
    EXPECT_EQ(client.failure->code, Code::unreachable);
    EXPECT_EQ(client.failure->message,
              "cannot connect to " + to_string(nobody) + ": connection refused; is anyone listening there?");
    EXPECT_EQ(client.opened, 0);
    const ByteView piece = bytes_of("x");
    EXPECT_FALSE(client.stream->write({&piece, 1}).has_value());
}

TEST_F(SocketStreamTest, FailsToConnectToAUnixSocketThatIsNotThere) {
    client.stream = network.connect(Address::unix_path("/nowhere/socket"), client);
    EXPECT_FALSE(client.failure.has_value()) << "never inside the call";
    ASSERT_TRUE(comes([this] { return client.failure.has_value(); }));
    EXPECT_EQ(client.failure->code, Code::unreachable);
    EXPECT_EQ(
        client.failure->message,
        "cannot connect to unix:/nowhere/socket: no such file or directory; is anyone listening there?");
}

TEST_F(SocketStreamTest, FailsToConnectToANameThatIsNotKnown) {
    // Too long for a DNS label, so no name server is queried.
    client.stream = network.connect(Address::ip(std::string(70, 'x'), 1), client);
    ASSERT_TRUE(comes([this] { return client.failure.has_value(); }));
    EXPECT_EQ(client.failure->code, Code::not_found);
}

TEST_F(SocketStreamTest, FailsToConnectToAPathThatIsTooLong) {
    client.stream = network.connect(Address::unix_path(std::string(200, 'x')), client);
    ASSERT_TRUE(comes([this] { return client.failure.has_value(); }));
    EXPECT_EQ(client.failure->code, Code::limit_exceeded);
}

TEST_F(SocketStreamTest, GivesUpToConnectAfterItsLimit) {
    // A listener that does not accept, with a full queue, does not answer further connection attempts.
    const int deaf = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    ASSERT_EQ(::bind(deaf, reinterpret_cast<sockaddr*>(&at), size), 0);
    ASSERT_EQ(::listen(deaf, 0), 0);
    ASSERT_EQ(::getsockname(deaf, reinterpret_cast<sockaddr*>(&at), &size), 0);
    const Address to = Address::ip("127.0.0.1", ntohs(at.sin_port));
    StreamEnd first;
    first.stream = network.connect(to, first);
    ASSERT_TRUE(comes([&] { return first.opened == 1; }));

    client.stream = SocketStream::connecting(loop.core(), to, 20ms, client);
    ASSERT_TRUE(comes([this] { return client.failure.has_value(); }));
    EXPECT_EQ(client.failure->code, Code::timed_out);
    EXPECT_EQ(client.failure->message, "cannot connect to " + to_string(to) + ": no answer within 0.02 s");
    ::close(deaf);
}

TEST_F(SocketStreamTest, MayBeDestroyedWhileItConnectsAndInItsFirstEvents) {
    listener =
        network.listen(any_ipv4, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); })
            .value();
    StreamEnd given_up, named, opening;
    given_up.stream = network.connect(listener->address(), given_up);
    given_up.stream.reset();
    named.stream = network.connect(Address::ip("localhost", listener->address().port), named);
    named.stream.reset();
    opening.stream = network.connect(listener->address(), opening);
    opening.when_open = [&] { opening.stream.reset(); };
    client.stream = network.connect(listener->address(), client);
    ASSERT_TRUE(comes([&] { return client.opened == 1 && opening.opened == 1; }));
    EXPECT_EQ(given_up.opened + named.opened, 0);
}

TEST_F(SocketStreamTest, MayBeDestroyedInOnConnectFailed) {
    struct Quitter final : StreamEvents {
        void on_readable() override {}
        void on_writable() override {}
        void on_connect_failed(const Error& error) override {
            stream.reset();
            why = error.message;
        }
        std::unique_ptr<Stream> stream;
        std::string why;
    } quitter;
    quitter.stream = network.connect(Address::unix_path("/nowhere/socket"), quitter);
    ASSERT_TRUE(comes([&] { return quitter.stream == nullptr; }));
    EXPECT_FALSE(quitter.why.empty());
}

TEST_F(SocketStreamTest, HoldsLittleForASlowReaderIfToldSo) {
    const SocketNetwork::Options options{.max_unsent = 64_KiB};
    SocketNetwork brief(loop, log, options);
    const auto open = brief.listen(
        any_ipv4, [this](std::unique_ptr<Stream> accepted) { server.take(std::move(accepted)); });
    ASSERT_TRUE(open);
    client.stream = network.connect((*open)->address(), client);
    client.stream->set_reading(false);
    ASSERT_TRUE(comes([this] { return server.stream != nullptr && client.opened == 1; }));
    const Bytes piece(16_KiB);
    const ByteView view = piece;
    std::size_t taken = 0;
    while (const std::size_t some = server.stream->write({&view, 1}).value()) taken += some;
    // Most of it is in the receiver's kernel buffer; without the option it would be ten times as much.
    EXPECT_LE(taken, 1_MiB);
}

TEST_F(SocketStreamTest, EveryTcpSocketSendsAtOnce) {
    join(any_ipv4);
    int found = 0;
    for (int descriptor = 0; descriptor < 1024; ++descriptor) {
        sockaddr_storage peer{};
        socklen_t size = sizeof peer;
        if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0 ||
            peer.ss_family != AF_INET)
            continue;
        int no_delay = 0;
        size = sizeof no_delay;
        ASSERT_EQ(::getsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &no_delay, &size), 0);
        EXPECT_EQ(no_delay, 1);
        ++found;
    }
    EXPECT_EQ(found, 2) << "this test looks at the sockets of both ends";
}

}  // namespace caribou
