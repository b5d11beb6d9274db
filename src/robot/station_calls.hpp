#pragma once

#include <cstdint>
#include <optional>

#include "loop/address.hpp"
#include "loop/time.hpp"

namespace caribou::robot {

/// Where the station of a robot is, when the robot calls for it, and when it listens for it: always, or,
/// after command 204, only from time to time.
class StationCalls {
public:
    /// `interval`: between two calls. `calls`: the robot both sends and receives.
    StationCalls(Duration interval, bool calls) : interval_(interval), calls_(calls) {}

    void start(Instant now) { next_call_ = now; }
    /// The receiver accepts stations on this port.
    void on_listening(std::uint16_t port) { port_ = port; }
    void on_arrived(const Address& send_to, Instant now);
    void on_lost(Instant now);
    /// Changes the port of the station's datagrams (command 200).
    void set_port(std::uint16_t port);
    /// Listens no more (command 204), or, with `back`, for a short time after each such interval.
    void disable(std::optional<Duration> back, Instant now);

    /// Destination of telemetry: the station that is here, or was the last one.
    const std::optional<Address>& station() const { return station_; }
    bool is_here() const { return is_here_; }
    Instant arrived_at() const { return arrived_at_; }
    std::uint16_t port() const { return port_; }

    /// Returns whether a call is due, and schedules the next one. A robot calls while it listens and no
    /// station is here.
    bool takes_call(Instant now);
    /// Returns whether to listen from now on, if that changes now.
    std::optional<bool> takes_switch(Instant now);
    /// Returns when takes_call() or takes_switch() must be called next.
    Instant due() const;

private:
    Duration interval_;
    bool calls_;
    std::uint16_t port_ = 0;
    std::optional<Address> station_;
    bool is_here_ = false;
    Instant arrived_at_{};
    Instant next_call_{};
    bool listens_ = true;
    std::optional<Duration> back_;  ///< see disable()
    Instant next_switch_{};
};

}  // namespace caribou::robot
