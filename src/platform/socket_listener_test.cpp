#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "platform/descriptor_limit.hpp"
#include "platform/socket_fixture.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {

class SocketListenerTest : public SocketTest {
protected:
    AcceptHandler to_server() {
        return [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); };
    }
    static AcceptHandler to_nobody() {
        return [](std::unique_ptr<Stream>) {};
    }

    TemporaryFolder folder;
    const std::string path = folder / "socket";
};

TEST_F(SocketListenerTest, PortZeroGivesAFreePort) {
    const auto one = network.listen(any_ipv4, to_nobody()).value();
    const auto two = network.listen(any_ipv4, to_nobody()).value();
    EXPECT_NE(one->address().port, 0);
    EXPECT_NE(one->address().port, two->address().port);
    EXPECT_EQ(one->address().host, "127.0.0.1");
}

TEST_F(SocketListenerTest, SaysWhatToDoWhenThePortIsTaken) {
    const auto first = network.listen(any_ipv4, to_nobody()).value();
    const auto second = network.listen(first->address(), to_nobody());
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, Code::already_exists);
    EXPECT_EQ(second.error().message,
              "cannot listen on " + to_string(first->address()) +
                  ": address already in use; is it running already? choose another port");
}

TEST_F(SocketListenerTest, RefusesAnAddressOfAnotherMachine) {
    const auto refused = network.listen(Address::ip("192.0.2.1", 0), to_nobody());
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(
        refused.error().message,
        "cannot listen on 192.0.2.1:0: cannot assign requested address; choose an address of this machine");
}

TEST_F(SocketListenerTest, RefusesANameThatIsNotKnown) {
    const auto refused = network.listen(Address::ip(std::string(70, 'x'), 0), to_nobody());
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, Code::not_found);
}

TEST_F(SocketListenerTest, ListensByNameOnIpv4) {
    listener = network.listen(Address::ip("localhost", 0), to_server()).value();
    EXPECT_EQ(listener->address().host, "127.0.0.1");
    client.stream = network.connect(listener->address(), client);
    EXPECT_TRUE(comes([this] { return server.stream != nullptr; }));
}

TEST_F(SocketListenerTest, APortCanBeTakenAgainRightAfterItWasUsed) {
    join(any_ipv4);
    const Address address = listener->address();
    server.stream.reset();  // this side closes first, so its port stays in TIME_WAIT
    ASSERT_TRUE(comes([this] { return client.end.has_value(); }));
    client.stream.reset();
    listener.reset();
    EXPECT_TRUE(network.listen(address, to_nobody()).has_value());
}

TEST_F(SocketListenerTest, MayBeDestroyedInsideItsHandler) {
    int accepted = 0;
    listener = network
                   .listen(any_ipv4,
                           [&](std::unique_ptr<Stream>) {
                               listener.reset();
                               ++accepted;
                           })
                   .value();
    StreamEnd other;
    client.stream = network.connect(listener->address(), client);
    other.stream = network.connect(listener->address(), other);
    ASSERT_TRUE(comes([&] { return accepted == 1; }));
    EXPECT_EQ(listener, nullptr);
}

TEST_F(SocketListenerTest, AUnixSocketIsForItsOwnerOnlyAndGoesWithTheListener) {
    listener = network.listen(Address::unix_path(path), to_nobody()).value();
    EXPECT_EQ(listener->address(), Address::unix_path(path));
    struct stat file{};
    ASSERT_EQ(::stat(path.c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777U, 0600U);
    listener.reset();
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(SocketListenerTest, ReplacesAUnixSocketThatADeadProgramLeft) {
    const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path.c_str(), sizeof at.sun_path - 1);
    ASSERT_EQ(::bind(dead, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    ASSERT_EQ(::listen(dead, 1), 0);
    ::close(dead);
    ASSERT_TRUE(std::filesystem::exists(path));
    join(Address::unix_path(path));
}

TEST_F(SocketListenerTest, LeavesAUnixSocketAloneWhereSomebodyListens) {
    listener = network.listen(Address::unix_path(path), to_server()).value();
    const auto second = network.listen(Address::unix_path(path), to_nobody());
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, Code::already_exists);
    EXPECT_EQ(second.error().message,
              "cannot listen on unix:" + path +
                  ": address already in use; is it running already? choose another path");
    client.stream = network.connect(Address::unix_path(path), client);
    EXPECT_TRUE(comes([this] { return client.opened == 1; }));
}

TEST_F(SocketListenerTest, LeavesAnOrdinaryFileAlone) {
    std::ofstream(path) << "precious";
    EXPECT_FALSE(network.listen(Address::unix_path(path), to_nobody()).has_value());
    EXPECT_EQ(std::filesystem::file_size(path), 8U);
}

TEST_F(SocketListenerTest, DoesNotRemoveAFileThatCameInItsPlace) {
    listener = network.listen(Address::unix_path(path), to_nobody()).value();
    std::filesystem::remove(path);
    const auto successor = network.listen(Address::unix_path(path), to_nobody()).value();
    listener.reset();
    EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(SocketListenerTest, SaysWhatToDoWhenTheDirectoryIsMissing) {
    const auto refused = network.listen(Address::unix_path("/nowhere/socket"), to_nobody());
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message,
              "cannot listen on unix:/nowhere/socket: no such file or directory; make the directory first");
}

TEST_F(SocketListenerTest, OutlivesALackOfDescriptors) {
    listener = network.listen(any_ipv4, to_server()).value();
    client.stream = network.connect(listener->address(), client);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = ::dup(0);
    ASSERT_GE(next, 0);
    ::close(next);
    rlimit none = before;
    none.rlim_cur = static_cast<rlim_t>(next);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const bool complained = loop.run_until([this] { return !log.lines.empty(); }, limit);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_TRUE(complained);
    EXPECT_EQ(log.lines.front().level, Level::error);
    EXPECT_TRUE(log.mentions("cannot accept another connection: too many open files; raise the limit"))
        << log.lines.front().text;
    ASSERT_TRUE(comes([this] { return server.stream != nullptr; }));
    EXPECT_TRUE(log.mentions("accepts connections again"));
    EXPECT_EQ(log.lines.size(), 2U) << "said once, not at every attempt";
}

TEST_F(SocketListenerTest, HoldsTwoThousandConnectionsAtOnce) {
    constexpr std::size_t count = 2000;
    const auto limit_now = raise_descriptor_limit();
    ASSERT_TRUE(limit_now.has_value());
    ASSERT_GT(*limit_now, 2 * count + 100) << "this machine allows too few descriptors for the test";

    std::vector<std::unique_ptr<StreamEnd>> servers, clients;
    std::size_t echoed = 0;
    listener = network
                   .listen(any_ipv4,
                           [&](std::unique_ptr<Stream> stream) {
                               StreamEnd& end = *servers.emplace_back(std::make_unique<StreamEnd>());
                               end.when_readable = [&end] {
                                   std::byte room[64];
                                   const std::size_t got = end.stream->read(room).value();
                                   end.send(text_of(ByteView(room).first(got)));
                               };
                               end.take(std::move(stream));
                           })
                   .value();
    for (std::size_t i = 0; i < count; ++i) {
        StreamEnd& end = *clients.emplace_back(std::make_unique<StreamEnd>());
        end.when_open = [&end, i] { end.send(std::to_string(10000 + i)); };
        end.when_readable = [&end, &echoed] {
            end.read_some(64);
            if (end.received.size() == 5) ++echoed;
        };
        end.stream = network.connect(listener->address(), end);
    }
    ASSERT_TRUE(comes([&] { return echoed == count; }));
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(clients[i]->received, std::to_string(10000 + i));
}

TEST_F(SocketListenerTest, AcceptsWhatHasBegunAndNothingElseOnceItBeginsToClose) {
    listener = network.listen(any_ipv4, to_server()).value();
    client.stream = network.connect(listener->address(), client);
    ASSERT_TRUE(comes([this] { return listener->has_pending() || server.stream != nullptr; }));
    listener->begin_close();
    StreamEnd late;
    late.stream = network.connect(listener->address(), late);
    ASSERT_TRUE(comes([this] { return server.stream != nullptr && client.opened == 1; }));
    EXPECT_FALSE(listener->has_pending());
    listener.reset();
    // Its first packet was dropped; when it is repeated, there is no listener any more.
    ASSERT_TRUE(comes([&] { return late.failure || late.opened > 0; }));
    EXPECT_EQ(late.opened, 0);
    server.send("still here");
    EXPECT_TRUE(comes([this] { return client.received == "still here"; }));
}

TEST_F(SocketListenerTest, TakesADescriptorAboveThoseOfStreams) {
    constexpr int others = 500;
    SocketNetwork high(loop, log, {.streams_below_listeners = others});
    const auto one = high.listen(any_ipv4, to_server()).value();
    client.stream = network.connect(one->address(), client);
    ASSERT_TRUE(comes([this] { return server.stream != nullptr && client.opened == 1; }));
    int listening = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int number = std::stoi(entry.path().filename());
        int is_listening = 0;
        socklen_t size = sizeof is_listening;
        if (::getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) != 0) continue;
        EXPECT_EQ(is_listening != 0, number >= others) << number;
        listening += is_listening;
    }
    EXPECT_EQ(listening, 1);
}

}  // namespace caribou
