// A thousand robots that have to be dialed at once, as after the station was started again.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "child.hpp"
#include "give_up.hpp"
#include "platform/descriptor_limit.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/tls_network.hpp"
#include "station_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t robots = 1000;

/// Of the robot of that number.
link::SecretKey key_of(std::size_t robot) {
    Random random(robot);
    std::array<std::byte, link::SecretKey::size> bytes;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    return link::SecretKey(bytes);
}

/// One end of a connection. Counts when it stands, and says back what it hears if it is an echo.
class End final : public StreamEvents {
public:
    explicit End(bool echoes = false) : echoes_(echoes) {}

    void take(std::unique_ptr<Stream> taken) {
        stream = std::move(taken);
        stream->attach(*this);
    }
    void say(ByteView bytes) { static_cast<void>(stream->write({&bytes, 1})); }

    std::unique_ptr<Stream> stream;
    bool open = false;
    std::size_t heard = 0;

private:
    void on_open() override { open = true; }
    void on_readable() override {
        std::array<std::byte, 64> bytes;
        const auto size = stream->read(bytes);
        if (!size) return lose(size.error());
        heard += *size;
        if (echoes_ && *size > 0) say(ByteView(bytes).first(*size));
    }
    void on_writable() override {}
    void on_connect_failed(const Error& why) override { lose(why); }
    void lose(const Error& why) {
        // A robot hears that the benchmark is over.
        if (!echoes_) give_up("a robot was not reached: " + why.message);
        stream.reset();
    }

    bool echoes_;
};

/// A robot's side: it knows one key, and answers.
struct Robot {
    Robot(Loop& loop, Network& below, Log& log, std::size_t number)
        : network(loop, below, log,
                  {.keys = [key = key_of(number)](link::KeyId) -> Result<link::SecretKey> { return key; }}) {
        listener = *network.listen(Address::ip("127.0.0.1", 0),
                                   [this](std::unique_ptr<Stream> stream) { end.take(std::move(stream)); });
    }

    TlsNetwork network;
    End end{true};
    std::unique_ptr<Listener> listener;
};

/// All robots, in a process of their own, and the ports that they listen on. The last one is there before.
class Robots {
public:
    Robots() : child_([this] { play(); }) {
        for (std::uint16_t& port : ports)
            need(::read(pipe_[0], &port, sizeof port) == sizeof port, "read a port");
    }
    std::array<std::uint16_t, robots + 1> ports{};

private:
    static std::array<int, 2> new_pipe() {
        std::array<int, 2> ends{};
        need(::pipe(ends.data()) == 0, "make a pipe");
        return ends;
    }
    void play() const {
        NullLog log;
        EventLoop loop;
        SocketNetwork network(loop, log);
        std::vector<std::unique_ptr<Robot>> all;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            all.push_back(std::make_unique<Robot>(loop, network, log, i));
            const std::uint16_t port = all.back()->listener->address().port;
            need(::write(pipe_[1], &port, sizeof port) == sizeof port, "tell a port");
        }
        loop.run();
    }

    std::array<int, 2> pipe_ = new_pipe();
    Child child_;
};

}  // namespace

void reconnect_1000_s(const Report& report, const Effort&) {
    const auto limit = raise_descriptor_limit();
    if (!limit || *limit < 3 * robots) give_up("1,000 robots need 3,000 descriptors (ulimit -Hn)");
    const Robots there;
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    TlsNetwork tls(loop, network, log, {});
    const auto dial = [&](std::size_t i, End& end) {
        end.stream = tls.connect(Address::ip("127.0.0.1", there.ports[i]), key_of(i), end);
    };
    End before;
    dial(robots, before);
    if (!loop.run_until([&] { return before.open; }, 10s)) give_up("the first robot was not reached");

    std::vector<std::unique_ptr<End>> ends;
    const SteadyTime began = now();
    // As many as a station hears of in one turn.
    const auto dial_some = [&] {
        for (int i = 0; i < 64 && ends.size() < robots; ++i) {
            ends.push_back(std::make_unique<End>());
            dial(ends.size() - 1, *ends.back());
        }
    };
    const auto all_open = [&] { return ends.size() == robots && std::ranges::all_of(ends, &End::open); };
    Seconds slowest{};
    while (!all_open()) {
        const std::size_t heard = before.heard;
        const SteadyTime said = now();
        before.say(bytes_of("!"));
        dial_some();
        if (!loop.run_until([&] { return before.heard > heard; }, 10s)) give_up("a connection is starved");
        slowest = std::max(slowest, Seconds(now() - said));
        loop.run_until(all_open, 5ms);
        if (Seconds(now() - began) > 60s) give_up("1,000 robots were not reached within a minute");
    }
    report.add({"reconnect_1000_s", Seconds(now() - began).count(), "s"});
    report.add({"reconnect_others_ms", slowest.count() * 1e3, "ms"});
}

}  // namespace caribou::bench
