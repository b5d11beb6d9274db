#pragma once

#include <cstdint>
#include <optional>

#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::robot {

/// Thresholds for the detection of charging.
struct ChargeRules {
    double full_level = 0.95;                  ///< of the battery
    double least_current = 0.05;               ///< A; distinguishes charging from contact only
    double full_current = 0.2;                 ///< A; a full battery draws less
    Duration hold = std::chrono::seconds(10);  ///< duration of both until it counts as full
    /// Duration until it counts as docked, in which behaviors can center the robot on the contacts.
    Duration settle = std::chrono::seconds(2);
    Duration lost_after = std::chrono::seconds(5);  ///< duration without contact
};

/// Detects events at the charger from readings. Reports each event once.
class ChargeWatch {
public:
    enum class Event : std::uint8_t {
        docked,         ///< contact and current for long enough, and the battery is not full
        fully_charged,  ///< level and current, for the hold time
        charger_lost,   ///< contact lost
    };

    explicit ChargeWatch(ChargeRules rules) : rules_(rules) {}

    /// `charging`: the robot is in RM1 for charging. Must not be called without valid readings.
    std::optional<Event> on_reading(const motion::BatteryReading& battery,
                                    const motion::ChargerReading& charger, bool charging, Instant now);
    bool contact() const { return contact_; }
    /// Returns whether there are contact and current at present.
    bool takes_current() const { return takes_current_; }

private:
    /// Records since when a condition is true; returns true once it has been for the time.
    static bool held(std::optional<Instant>& since, bool holds, Duration time, Instant now);

    ChargeRules rules_;
    bool contact_ = false;
    bool takes_current_ = false;
    bool armed_ = true;  ///< false until the contact is broken
    std::optional<Instant> docked_since_;
    std::optional<Instant> full_since_;
    std::optional<Instant> lost_since_;
};

}  // namespace caribou::robot
