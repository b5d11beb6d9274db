#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bus/client.hpp"
#include "loop/loop.hpp"

namespace caribou::bus {

/// Result of one round: the round-trip time, or nullopt if it was lost.
using PingRound = std::optional<Duration>;

/// Measures the time that a value takes through the broker back to this client, repeatedly. All pings share
/// one variable and are distinguished by their source.
class Ping {
public:
    static constexpr std::string_view variable = "CARIBOU_PING";

    struct Options {
        std::uint32_t rounds = 10;
        Duration interval = std::chrono::milliseconds(200);  ///< between the starts of two rounds
        Duration limit = std::chrono::seconds(2);            ///< after this time a round is lost
    };
    /// The client must be connected, and must outlive this object.
    Ping(Loop& loop, Client& client, Options options);
    ~Ping();
    Ping(const Ping&) = delete;
    Ping& operator=(const Ping&) = delete;

    /// Calls `on_round` with the result of each round, and `on_end` after the last.
    Result<void> start(std::move_only_function<void(PingRound)> on_round, Task on_end);
    const std::vector<PingRound>& rounds() const { return rounds_; }

private:
    void send();
    void hear(const wire::MessageView& message);
    void finish_round(PingRound round);

    Loop& loop_;
    Client& client_;
    Options options_;
    std::move_only_function<void(PingRound)> on_round_;
    Task on_end_;
    std::vector<PingRound> rounds_;
    Instant sent_{};
    bool under_way_ = false;
    std::unique_ptr<Timer> timer_;  ///< start of the next round, or timeout of this one
};

/// Returns minimum, median, maximum and a small histogram for people, one per line.
std::string ping_report(const std::vector<PingRound>& rounds);
/// Returns the same as a JSON object.
std::string ping_json(const std::vector<PingRound>& rounds);

}  // namespace caribou::bus
