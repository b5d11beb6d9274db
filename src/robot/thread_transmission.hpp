#pragma once

#include <memory>
#include <optional>
#include <string>

#include "link/message.hpp"
#include "loop/network.hpp"
#include "loop/strand.hpp"
#include "robot/datagram_stops.hpp"
#include "robot/outgoing_seal.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Sends the contents of the buffers over UDP, when an event signals new ones: errors first, then the latest
/// telemetry. Copies under the lock and sends after releasing it. Receives the full stops that the station
/// sends as datagrams.
class ThreadTransmission {
public:
    struct Options {
        std::string robot;
        Address station;             ///< address to call, and destination of errors while there is no session
        bool sends_at_once = false;  ///< CM1: telemetry is sent to the station without a session
        Duration proof = std::chrono::milliseconds(500);  ///< between two signs of life
        LinkTrust* trust = nullptr;                       ///< null: no sealing
    };
    struct Counts {
        std::uint64_t telemetry = 0;
        std::uint64_t errors = 0;
        std::uint64_t calls = 0;
        std::uint64_t failures = 0;
        std::uint64_t skipped = 0;  ///< rounds replaced by newer ones before they were sent
    };

    /// All arguments must outlive this object.
    ThreadTransmission(Strand& strand, Network& network, motion::MotionControl& motion, RobotBuffers& buffers,
                       Options options);

    /// Opens a socket, notifies main, and waits for events.
    void start();
    void stop();
    /// Drops all traffic for this time, in both directions. Thread-safe.
    void go_mute(Duration time);
    const Counts& counts() const { return counts_; }
    const DatagramStops& stops() const { return stops_; }

private:
    void on_telemetry();
    void on_errors();
    void on_command();
    void prove();
    void on_packet();
    bool send(const Address& to, const link::DatagramMessage& message);

    Strand& strand_;
    Network& network_;
    RobotBuffers& buffers_;
    Options options_;
    OutgoingSeal seal_;
    DatagramStops stops_;
    std::optional<Address> destination_;
    std::unique_ptr<Datagram> socket_;
    std::uint32_t number_ = 0;
    Instant mute_until_{};
    Counts counts_;
    StrandEvent telemetry_buffer_event_;
    StrandEvent error_buffer_event_;
    StrandEvent transmission_cmd_event_;
    std::unique_ptr<Timer> proof_;
};

}  // namespace caribou::robot
