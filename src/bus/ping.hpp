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

/// What becomes of a round: its time, or nothing if it was lost.
using PingRound = std::optional<Duration>;

/// Sends a value through the broker to ourselves, round after round, and takes the time. All pings
/// share one variable, told apart by who wrote it.
class Ping {
public:
    static constexpr std::string_view variable = "CARIBOU_PING";

    struct Options {
        std::uint32_t rounds = 10;
        Duration interval = std::chrono::milliseconds(200);  ///< from one round to the next
        Duration limit = std::chrono::seconds(2);            ///< after that a round is lost
    };
    /// The client is connected and outlives this.
    Ping(Loop& loop, Client& client, Options options);
    ~Ping();
    Ping(const Ping&) = delete;
    Ping& operator=(const Ping&) = delete;

    /// `on_round` hears the result of each, `on_end` comes after the last.
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
    std::unique_ptr<Timer> timer_;  ///< the next round, or the end of this one
};

/// Least, middle, most, and a small histogram, for people; a line each.
std::string ping_report(const std::vector<PingRound>& rounds);
/// The same as a JSON object.
std::string ping_json(const std::vector<PingRound>& rounds);

}  // namespace caribou::bus
