#pragma once

#include <memory>
#include <optional>
#include <string>

#include "link/message.hpp"
#include "loop/network.hpp"
#include "loop/strand.hpp"
#include "robot/outgoing_seal.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Sends what is in the buffers over UDP, when an event says that something is there: errors first, then
/// the latest telemetry. Copies under the lock and sends after it.
class ThreadTransmission {
public:
    struct Options {
        std::string robot;
        Address station;             ///< whom to call, and where errors go while there is no session
        bool sends_at_once = false;  ///< CM1: telemetry goes to the station without a session
        Duration proof = std::chrono::milliseconds(500);  ///< between two proofs of being alive
        LinkTrust* trust = nullptr;                       ///< null: what it sends is plain
    };
    struct Counts {
        std::uint64_t telemetry = 0;
        std::uint64_t errors = 0;
        std::uint64_t calls = 0;
        std::uint64_t failures = 0;
        std::uint64_t skipped = 0;  ///< rounds that were newer when it came to them
    };

    /// All outlive it.
    ThreadTransmission(Strand& strand, Network& network, RobotBuffers& buffers, Options options);

    /// Opens a socket, tells main, and waits for events.
    void start();
    void stop();
    /// For so long nothing leaves. Any thread may call.
    void go_mute(Duration time);
    const Counts& counts() const { return counts_; }

private:
    void on_telemetry();
    void on_errors();
    void on_command();
    void prove();
    bool send(const Address& to, const link::DatagramMessage& message);

    Strand& strand_;
    Network& network_;
    RobotBuffers& buffers_;
    Options options_;
    OutgoingSeal seal_;
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
