// The cost of a stream: no allocation per event, little memory while idle.
#include <atomic>
#include <cstdlib>
#include <new>

#include "platform/socket_fixture.hpp"

namespace {
std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> allocated_bytes = 0;
}  // namespace

// Counts the allocations of the whole test program; only used by the tests in this file.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    allocated_bytes += size;
    return std::malloc(size);
}
void* operator new(std::size_t size) {
    void* memory = operator new(size, std::nothrow);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace caribou {

/// Echoes what it receives at the end of the turn, like a broker, a given number of times.
class Echo final : public StreamEvents {
public:
    explicit Echo(Loop& loop) : loop_(loop) {}
    void attach(std::unique_ptr<Stream> accepted) {
        stream = std::move(accepted);
        stream->attach(*this);
    }
    void on_readable() override {
        std::byte room[64];
        if (stream->read(room).value() == 0 || --rounds < 0) return;
        loop_.post([this] { send(); });
    }
    void on_writable() override {}
    void on_open() override { send(); }
    void send() {
        const ByteView piece = bytes_of("ping");
        static_cast<void>(stream->write({&piece, 1}));
    }

    std::unique_ptr<Stream> stream;
    int rounds = 0;

private:
    Loop& loop_;
};

using SocketCostTest = SocketTest;

TEST_F(SocketCostTest, AnEventAllocatesNothing) {
    Echo ping(loop), pong(loop);
    listener =
        network.listen(any_ipv4, [&](std::unique_ptr<Stream> accepted) { pong.attach(std::move(accepted)); })
            .value();
    ping.rounds = pong.rounds = 1100;
    const auto watchdog = loop.make_timer([] {});
    ping.stream = network.connect(listener->address(), ping);
    const auto rounds_left = [&](int left) {
        return comes([&ping, &watchdog, this, left] {
            watchdog->arm(loop.clock().now() + std::chrono::seconds(5));
            return ping.rounds <= left;
        });
    };
    ASSERT_TRUE(rounds_left(1000));
    const std::size_t before = allocations;
    ASSERT_TRUE(rounds_left(1));
    EXPECT_LT(allocations - before, 10U) << "for a thousand round trips; the wait itself makes a few";
}

TEST_F(SocketCostTest, AnIdleStreamNeedsLessThanAKilobyte) {
    constexpr std::size_t count = 200;
    std::vector<std::unique_ptr<Stream>> accepted;
    accepted.reserve(count);
    listener = network
                   .listen(any_ipv4,
                           [&](std::unique_ptr<Stream> stream) {
                               accepted.push_back(std::move(stream));
                               accepted.back()->attach(server);
                           })
                   .value();
    std::vector<std::unique_ptr<StreamEnd>> clients;
    const std::size_t before_clients = allocated_bytes;
    for (std::size_t i = 0; i < count; ++i) {
        clients.push_back(std::make_unique<StreamEnd>());
        clients.back()->stream = network.connect(listener->address(), *clients.back());
    }
    const std::size_t before = allocated_bytes;
    ASSERT_TRUE(comes([&] { return accepted.size() == count; }));
    RecordProperty("bytes_per_client", static_cast<int>((before - before_clients) / count));
    const std::size_t each = (allocated_bytes - before) / count;
    RecordProperty("bytes_per_idle_stream", static_cast<int>(each));
    EXPECT_LT(each, 1024U);
}

}  // namespace caribou
