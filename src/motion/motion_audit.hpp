#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/motion.hpp"
#include "motion/motion_settings.hpp"

namespace caribou::motion {

/// Holds what was driven to what may be driven, whoever drove: for tests and simulations. Knows
/// nothing of how propulsion works.
///
/// 1. Every class follows the one before legally.
/// 2. No wheel is faster than level 3, none gains more than its acceleration.
/// 3. Speed is gained only for a source that is permitted, without a stop, a fault or motors off.
/// 4. Without such a source everything is at rest once the time that stopping takes has passed.
class MotionAudit {
public:
    explicit MotionAudit(const MotionSettings& settings) : settings_(settings) {}

    /// After every step, in order.
    void observe(const MotionReport& report);

    /// One sentence each, at most `limit` of them.
    const std::vector<std::string>& findings() const { return findings_; }
    static constexpr std::size_t limit = 20;

private:
    bool may_move(const MotionReport& report) const;
    void check_edge(const MotionReport& report);
    void check_speed(const MotionReport& report);
    void check_authority(const MotionReport& report);
    void find(const MotionReport& report, std::string what);

    MotionSettings settings_;
    std::optional<MotionReport> last_;
    std::optional<Instant> unauthorised_since_;
    std::vector<std::string> findings_;
};

}  // namespace caribou::motion
