#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "link/frame_reader.hpp"
#include "loop/clock.hpp"
#include "sim/command_listener.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Observes a robot's connections and checks that every command receives exactly one final answer, within a
/// time limit while the connection is up; that there are no answers without a command; that no command is
/// executed for a peer that was not welcomed or whose role does not permit it, or, for a command that moves
/// the robot, while another peer held the lease throughout; and that no command is refused for the lease
/// while no other connection can hold it.
class CommandAudit final : public StreamTap {
public:
    /// Time limit for the final answer on any network; `dock` may take link::dock_limit longer.
    static constexpr Duration limit = std::chrono::seconds(60);
    /// Returns the time limit for the final answer to a command.
    static Duration limit_of(link::CommandCode code);

    /// `trace` is called with every command and answer, and its id. May be empty.
    explicit CommandAudit(const Clock& clock, std::function<void(std::string_view)> trace = {})
        : clock_(clock), trace_(std::move(trace)) {}

    /// Checks for overdue answers. Must be called regularly.
    void look();
    /// Returns the violations as sentences.
    const std::vector<std::string>& findings() const { return findings_; }
    /// Sets the receiver of all commands; may be null.
    void set_listener(CommandListener* listener) { listener_ = listener; }
    /// Returns the connection of the station, if there is one.
    std::optional<StreamNumber> station() const { return station_; }
    /// Returns when the robot last read something from its station.
    Instant heard_station() const { return heard_station_; }
    /// Returns when the robot last wrote a heartbeat, except for the first one of a connection.
    Instant last_beat() const { return last_beat_; }

    std::uint64_t commands() const { return commands_; }
    std::uint64_t refused() const { return refused_; }
    /// Must be called for a peer without a connection: until then it may hold the lease.
    void expect_stranger_until(Instant until) { stranger_until_ = until; }
    /// Must be called when the robot's program was killed: pending commands will not be answered.
    void forget() {
        connections_.clear();
        driver_.reset();
        station_.reset();
    }

private:
    struct Asked {
        std::uint64_t times = 0;
        std::uint64_t answered = 0;
        Instant last{};
        link::CommandCode code{};
        bool halts = false;
        std::optional<link::Command> command{};  ///< until its final answer
        bool judged = false;                     ///< answered before; this answer is a repetition
        bool unleased = false;  ///< another peer has held the lease ever since the command arrived
    };
    struct Connection {
        link::FrameReader in;
        link::FrameReader out;
        std::optional<link::Role> role{};  ///< granted in the welcome
        bool claims = false;               ///< to be the station
        bool has_beaten = false;           ///< the robot has sent a heartbeat
        bool may_hold_lease = false;       ///< it has sent a command that takes the lease
        std::map<std::uint64_t, Asked> commands;
    };

    void on_read(StreamNumber stream, ByteView bytes) override;
    void on_written(StreamNumber stream, ByteView bytes) override;
    void on_gone(StreamNumber stream) override;
    void take(StreamNumber stream, const link::Command& command);
    void take(StreamNumber stream, const link::Answer& answer);
    void judge(StreamNumber stream, Asked& asked);
    void check_lease_refusal(StreamNumber stream, const Asked& asked);
    /// Transfers the lease; nullopt if it is free.
    void give_lease(std::optional<StreamNumber> to);
    void find(std::string what);

    const Clock& clock_;
    std::function<void(std::string_view)> trace_;
    std::map<StreamNumber, Connection> connections_;
    std::optional<StreamNumber> driver_;  ///< holder of the lease
    std::optional<StreamNumber> station_;
    Instant heard_station_{};
    Instant last_beat_{};
    Instant last_gone_{};  ///< when a connection last ended
    Instant stranger_until_{};
    CommandListener* listener_ = nullptr;
    std::vector<std::string> findings_;
    std::uint64_t commands_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace caribou::sim
