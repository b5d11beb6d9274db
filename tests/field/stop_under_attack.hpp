#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"

namespace caribou::tests {

/// A station and a robot under attack by separate processes, at nice 19 and together on one core. The station
/// is restarted after the attacks have begun: it must be able to connect, too.
class StopUnderAttack {
public:
    /// `attacks` are those of tests/attacker: `flood`, `sessions`, `handshakes`, `requests`, `watchers`.
    explicit StopUnderAttack(const std::vector<std::string>& attacks);

    /// Lets a program connect, drive the robot and stop it. Returns the time from the request being written
    /// to zero ordered at the body, or nullopt if any of this takes longer than `limit`.
    std::optional<Duration> stop_once(Duration limit);
    /// Returns whether all attackers are still running.
    bool attacked() const;
    /// Returns the error of the latest stop_once() that returned nullopt.
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
