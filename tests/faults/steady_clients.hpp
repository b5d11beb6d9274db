#pragma once

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "base/log.hpp"
#include "bus/client.hpp"
#include "faults/quality.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::tests {

/// Ten well-behaved clients in a ring, on their own thread so that the disturbing client does not block them:
/// each writes a hundred times per second and reads its neighbor.
class SteadyClients {
public:
    static constexpr std::size_t count = 10;
    static constexpr Duration period = std::chrono::milliseconds(10);  ///< per client

    explicit SteadyClients(const Address& broker);
    ~SteadyClients();
    SteadyClients(const SteadyClients&) = delete;
    SteadyClients& operator=(const SteadyClients&) = delete;

    /// Starts a measurement. `here` is the loop of the calling thread.
    void begin();
    /// Ends the measurement and returns its result.
    Quality end(EventLoop& here);
    /// Returns whether all have been connected without interruption. Must only be called after stop().
    bool never_lost() const;
    /// Ends the clients' thread.
    void stop();

private:
    struct Station {
        std::unique_ptr<bus::Client> client;
        std::string writes;
        Instant last_heard{};
    };

    void on_tick();
    void on_mail(Station& reader, double sent);
    void note_gap(Station& reader, Instant now);
    void begin_here();
    Quality quality_here();

    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_;
    std::array<Station, count> stations_;
    std::unique_ptr<Timer> timer_;
    Instant next_tick_{};
    std::size_t turn_ = 0;
    std::vector<Duration> latencies_;
    Quality quality_;
    /// tidy: allow thread: the disturber's own work must not hold up those that it is to disturb
    std::jthread thread_;
};

}  // namespace caribou::tests
