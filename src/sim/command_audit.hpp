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

/// Listens to a robot's connections, and holds it to its word: every command gets exactly one final
/// answer, within a limit while the connection stands; nothing is answered that was not asked; nothing is
/// carried out for somebody who was not welcomed, whose role does not allow it, or, where it moves the robot,
/// while somebody else had the lease all along.
class CommandAudit final : public StreamTap {
public:
    /// No command takes longer to its final answer, on however bad a network; `dock` may take
    /// link::dock_limit more.
    static constexpr Duration limit = std::chrono::seconds(60);
    static Duration limit_of(link::CommandCode code);

    /// `trace` is called with every command and answer, and its id. May be empty.
    explicit CommandAudit(const Clock& clock, std::function<void(std::string_view)> trace = {})
        : clock_(clock), trace_(std::move(trace)) {}

    /// To be asked now and then: whether an answer is overdue.
    void look();
    /// One sentence each.
    const std::vector<std::string>& findings() const { return findings_; }
    std::uint64_t commands() const { return commands_; }
    std::uint64_t refused() const { return refused_; }
    /// The robot's program was killed: nobody will answer any more.
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
        bool judged = false;    ///< it was answered before, and is now only answered again
        bool unleased = false;  ///< since it came, somebody else has always had the lease
    };
    struct Connection {
        link::FrameReader in;
        link::FrameReader out;
        std::optional<link::Role> role{};  ///< that it was welcomed with
        std::map<std::uint64_t, Asked> commands;
    };

    void on_read(StreamNumber stream, ByteView bytes) override;
    void on_written(StreamNumber stream, ByteView bytes) override;
    void on_gone(StreamNumber stream) override;
    void take(StreamNumber stream, const link::Command& command);
    void take(StreamNumber stream, const link::Answer& answer);
    void judge(StreamNumber stream, Asked& asked);
    /// None: nobody has it.
    void give_lease(std::optional<StreamNumber> to);
    void find(std::string what);

    const Clock& clock_;
    std::function<void(std::string_view)> trace_;
    std::map<StreamNumber, Connection> connections_;
    std::optional<StreamNumber> driver_;  ///< has the lease
    std::vector<std::string> findings_;
    std::uint64_t commands_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace caribou::sim
