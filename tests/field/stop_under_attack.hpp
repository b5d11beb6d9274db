#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"

namespace caribou::tests {

/// The share of the machine that attackers get.
enum class AttackerPriority : std::uint8_t {
    lowest,  ///< nice 19, together on one core
    usual,   ///< that of every program, on all cores
};

/// A station and a robot under attack by separate processes. The station is restarted after the attacks have
/// begun: it must be able to connect, too.
class StopUnderAttack {
public:
    /// `attacks` are those of tests/attacker: `flood`, `sessions`, `handshakes`, `requests`, `watchers`,
    /// `storm`, `pipeline`, `replays`; one process each.
    explicit StopUnderAttack(const std::vector<std::string>& attacks,
                             AttackerPriority priority = AttackerPriority::lowest);

    /// Lets a program connect (attackers of usual priority can keep it from the port: then to the socket of
    /// the station's account), turn the robot at its highest speed, and stop it. Returns the time from the
    /// request being written to zero ordered at the body, or nullopt if any of this takes longer than
    /// `limit`.
    std::optional<Duration> stop_once(Duration limit);
    /// Returns whether all attackers are still running.
    bool attacked() const;
    /// Returns the error of the latest stop_once() that returned nullopt.
    const std::string& trouble() const { return trouble_; }

private:
    std::vector<std::string> words_for(const std::string& attack) const;
    std::string address_for_operators() const;
    bool done(Operator& person, const std::string& command, Duration limit);
    /// Waits for an order of at least full speed, or of rest, since `since`.
    bool sees_order(Operator& person, bool at_full_speed, Instant since, Duration limit);

    AttackerPriority priority_;
    Field field_;
    OrderTrace trace_{(field_.scratch / "orders").string()};
    std::string observer_key_;
    std::string station_key_id_;
    std::vector<std::unique_ptr<ChildProcess>> attackers_;
    std::string trouble_;
};

}  // namespace caribou::tests
