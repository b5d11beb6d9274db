#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "link/frame_reader.hpp"
#include "loop/clock.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Listens to a robot's connections, and holds it to its word: every command gets exactly one final
/// answer, within a limit while the connection stands; nothing is answered that was not asked.
class CommandAudit final : public StreamTap {
public:
    /// No command takes longer to its final answer, on however bad a network.
    static constexpr Duration limit = std::chrono::seconds(60);

    explicit CommandAudit(const Clock& clock) : clock_(clock) {}

    /// To be asked now and then: whether an answer is overdue.
    void look();
    /// One sentence each.
    const std::vector<std::string>& findings() const { return findings_; }
    std::uint64_t commands() const { return commands_; }
    std::uint64_t refused() const { return refused_; }
    /// The robot's program was killed: nobody will answer any more.
    void forget() { connections_.clear(); }

private:
    struct Asked {
        std::uint64_t times = 0;
        std::uint64_t answered = 0;
        Instant last{};
    };
    struct Connection {
        link::FrameReader in;
        link::FrameReader out;
        std::map<std::uint64_t, Asked> commands;
    };

    void on_read(StreamNumber stream, ByteView bytes) override;
    void on_written(StreamNumber stream, ByteView bytes) override;
    void on_gone(StreamNumber stream) override { connections_.erase(stream); }
    void find(std::string what);

    const Clock& clock_;
    std::map<StreamNumber, Connection> connections_;
    std::vector<std::string> findings_;
    std::uint64_t commands_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace caribou::sim
