#pragma once

#include <cstdint>
#include <optional>

#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::robot {

struct ChargeRules {
    double full_level = 0.95;                       ///< of the battery
    double least_current = 0.05;                    ///< A that tell charging from touching
    double full_current = 0.2;                      ///< A below which a full battery takes no more
    Duration hold = std::chrono::seconds(10);       ///< for how long it must look full
    Duration settle = std::chrono::seconds(1);      ///< for how long it must look docked
    Duration lost_after = std::chrono::seconds(5);  ///< without contact
};

/// Tells from readings what happens at the charger. Says each thing once.
class ChargeWatch {
public:
    enum class Event : std::uint8_t {
        docked,         ///< contact and current, for long enough, and there is something to charge
        fully_charged,  ///< level and current, held
        charger_lost,   ///< no contact any more
    };

    explicit ChargeWatch(ChargeRules rules) : rules_(rules) {}

    /// `charging`: the robot is in RM1 for it. Nothing is missing from the readings: without one the
    /// call is left out.
    std::optional<Event> on_reading(const motion::BatteryReading& battery,
                                    const motion::ChargerReading& charger, bool charging, Instant now);
    bool contact() const { return contact_; }
    /// Contact and current, at this moment.
    bool takes_current() const { return takes_current_; }

private:
    /// Notes since when a condition holds; true once it has for the time.
    static bool held(std::optional<Instant>& since, bool holds, Duration time, Instant now);

    ChargeRules rules_;
    bool contact_ = false;
    bool takes_current_ = false;
    bool armed_ = true;  ///< not again before the contact has been broken
    std::optional<Instant> docked_since_;
    std::optional<Instant> full_since_;
    std::optional<Instant> lost_since_;
};

}  // namespace caribou::robot
