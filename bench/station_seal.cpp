// Datagrams that no robot of ours has sent.

#include <cstddef>
#include <vector>

#include "adapters/openssl/tls_network.hpp"
#include "base/random.hpp"
#include "give_up.hpp"
#include "link/datagram_seal.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "station/played_robot.hpp"
#include "station_figures.hpp"
#include "station_program.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// Flips one random bit.
Bytes altered(Bytes datagram, Random& random) {
    datagram[random.below(datagram.size())] ^= static_cast<std::byte>(1U << random.below(8));
    return datagram;
}

/// A robot connected to a station, and an attacker that sends datagrams from its address.
class Impostor {
public:
    explicit Impostor(const StationProgram& station)
        : station_(station),
          robot_(loop_, network_,
                 {.name = "robot_0",
                  .station = station.address(),
                  .telemetry_period = 50ms,
                  .key = key_of(0),
                  .streams = &tls_}) {
        robot_.sends_telemetry = false;
        bool connected = false;
        robot_.on_auth = [&] { connected = true; };
        taken_.push_back(robot_.last_sent);
        if (!loop_.run_until([&] { return connected; }, 10s)) give_up("a robot was not connected");
        robot_.on_auth = [] { give_up("a robot has lost its station"); };
        before_ = sum();
    }

    /// Sends a third each of datagrams that are replayed, modified, or sealed with another key; of a session,
    /// among valid ones, or from before it.
    void send(std::size_t count, bool in_session) {
        for (std::size_t i = 0; i < count; ++i) {
            const Bytes genuine = in_session ? telemetry() : later_start_.seal(call_content());
            if (i % 3 == 0) robot_.send_again(once_more());
            if (i % 3 == 1) robot_.send_again(altered(genuine, random_));
            if (i % 3 == 2) robot_.send_again((in_session ? session_ : boot_).seal(call_content()));
            if (in_session) take(genuine);
            ++sent_;
            if (i % 32 == 31) keep_step();
        }
        keep_step();
    }

    /// Returns how many of them the station has not refused.
    double accepted() const {
        const Counts now = sum();
        return (now.all - before_.all) - (now.refused - before_.refused) - static_cast<double>(good_);
    }

private:
    struct Counts {
        double all;
        double refused;
    };
    Counts sum() const {
        return {station_.count(everything), station_.count(R"(refused_total{what="datagram"})") +
                                                station_.count(R"(datagrams_total{kind="malformed"})")};
    }

    Bytes telemetry() {
        robot_.telemetry.number += 1;
        robot_.telemetry.stamp = robot_.clock();
        robot_.telemetry.ranges.resize(random_.below(37));
        return robot_.sealed(robot_.telemetry);
    }
    static Bytes call_content() { return datagram_of(1, link::ConnectToMe{"robot_0", 1}); }
    /// Sends a valid datagram, which is accepted.
    void take(const Bytes& datagram) {
        constexpr std::size_t kept = 5000;  // more than the width of the window
        robot_.send_again(datagram);
        ++good_;
        if (taken_.size() < kept)
            taken_.push_back(datagram);
        else
            taken_[random_.below(kept)] = datagram;
    }
    const Bytes& once_more() { return taken_[random_.below(taken_.size())]; }

    /// The kernel drops datagrams that the station has not read in time: limits the number in transit.
    void keep_step() {
        const double expected = before_.all + static_cast<double>(sent_ + good_);
        for (int tries = 0; station_.count(everything) < expected; ++tries) {
            if (tries == 10'000) give_up("datagrams were lost on the way");
            loop_.run_until([] { return false; }, 1ms);
        }
        loop_.run_until([] { return false; }, 0ms);
    }

    static constexpr std::string_view everything = R"(datagrams_total{kind="all"})";

    const StationProgram& station_;
    Random random_{1};
    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    TlsNetwork tls_{
        loop_, network_, log_, {.keys = [](link::KeyId) -> Result<link::SecretKey> { return key_of(0); }}};
    station::PlayedRobot robot_;
    link::DatagramSealer session_{link::SessionMark{1}, key_of(1), link::Direction::to_station};
    link::DatagramSealer boot_{link::BootMark{link::id_of(key_of(0)), 2, {}}, key_of(1),
                               link::Direction::to_station};
    link::DatagramSealer later_start_{link::BootMark{link::id_of(key_of(0)), 2, {}}, key_of(0),
                                      link::Direction::to_station};
    std::vector<Bytes> taken_;
    std::size_t good_ = 0;
    std::size_t sent_ = 0;
    Counts before_{};
};

}  // namespace

void datagrams_accepted(const Report& report, const Effort&) {
    constexpr std::size_t each = 500'000;
    const StationProgram station(1);
    Impostor impostor(station);
    impostor.send(each, true);
    impostor.send(each, false);
    report.add({"datagrams_accepted", impostor.accepted(), "of 1,000,000"});
}

}  // namespace caribou::bench
