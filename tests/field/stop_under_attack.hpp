#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"

namespace caribou::tests {

/// A station and a robot that attackers keep busy, each a process of its own, at nice 19 and together on one
/// core. The station is started again after the attacks have begun: it has to get in again, too.
class StopUnderAttack {
public:
    /// Attacks of tests/attacker: `flood`, `sessions`, `handshakes`, `requests`, `watchers`.
    explicit StopUnderAttack(const std::vector<std::string>& attacks);

    /// Lets a program connect, drive the robot and stop it. Returns the time from the request being written
    /// to zero ordered at the body, or nullopt if any of this takes longer than `limit`.
    std::optional<Duration> stop_once(Duration limit);
    /// Whether all attackers are still at it.
    bool attacked() const;
    /// What went wrong in the latest stop_once() that returned nullopt.
    const std::string& trouble() const { return trouble_; }

private:
    std::vector<std::string> words_for(const std::string& attack) const;
    bool done(Operator& person, const std::string& command, Duration limit);
    bool sees_order(Operator& person, bool moves, Instant since, Duration limit);

    Field field_;
    OrderTrace trace_{(field_.scratch / "orders").string()};
    std::string observer_key_;
    std::string station_key_id_;
    std::vector<std::unique_ptr<ChildProcess>> attackers_;
    std::string trouble_;
};

}  // namespace caribou::tests
