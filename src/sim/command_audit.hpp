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
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Observes a robot's connections and checks that every command receives exactly one final answer, within a
/// time limit while the connection is up; that there are no answers without a command; and that no command is
/// executed for a peer that was not welcomed or whose role does not permit it, or, for a command that moves
/// the robot, while another peer held the lease throughout.
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
    std::uint64_t commands() const { return commands_; }
    std::uint64_t refused() const { return refused_; }
    /// Must be called when the robot's program was killed: pending commands will not be answered.
    void forget() {
        connections_.clear();
        driver_.reset();
    }

private:
    struct Asked {
        std::uint64_t times = 0;
        std::uint64_t answered = 0;
        Instant last{};
        link::CommandCode code{};
        bool halts = false;
        bool judged = false;    ///< answered before; this answer is a repetition
        bool unleased = false;  ///< another peer has held the lease ever since the command arrived
    };
    struct Connection {
        link::FrameReader in;
        link::FrameReader out;
        std::optional<link::Role> role{};  ///< granted in the welcome
        std::map<std::uint64_t, Asked> commands;
    };

    void on_read(StreamNumber stream, ByteView bytes) override;
    void on_written(StreamNumber stream, ByteView bytes) override;
    void on_gone(StreamNumber stream) override;
    void take(StreamNumber stream, const link::Command& command);
    void take(StreamNumber stream, const link::Answer& answer);
    void judge(StreamNumber stream, Asked& asked);
    /// Transfers the lease; nullopt if it is free.
    void give_lease(std::optional<StreamNumber> to);
    void find(std::string what);

    const Clock& clock_;
    std::function<void(std::string_view)> trace_;
    std::map<StreamNumber, Connection> connections_;
    std::optional<StreamNumber> driver_;  ///< holder of the lease
    std::vector<std::string> findings_;
    std::uint64_t commands_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace caribou::sim
