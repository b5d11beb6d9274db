#include "robot/charge_watch.hpp"

#include <cmath>

namespace caribou::robot {

bool ChargeWatch::held(std::optional<Instant>& since, bool holds, Duration time, Instant now) {
    if (!holds) since.reset();
    if (holds && !since) since = now;
    return since && now - *since >= time;
}

std::optional<ChargeWatch::Event> ChargeWatch::on_reading(const motion::BatteryReading& battery,
                                                          const motion::ChargerReading& charger,
                                                          bool charging, Instant now) {
    contact_ = charger.contact;
    takes_current_ = contact_ && charger.amperes >= rules_.least_current;
    if (!contact_) armed_ = true;
    const bool full = battery.level >= rules_.full_level;
    const bool lost = held(lost_since_, charging && !contact_, rules_.lost_after, now);
    const bool is_full =
        held(full_since_, charging && contact_ && full && std::abs(battery.amperes) <= rules_.full_current,
             rules_.hold, now);
    const bool docked =
        held(docked_since_, !charging && armed_ && takes_current_ && !full, rules_.settle, now);
    if (docked) {
        armed_ = false;
        docked_since_.reset();
        return Event::docked;
    }
    if (is_full) {
        full_since_.reset();
        return Event::fully_charged;
    }
    if (lost) {
        lost_since_.reset();
        return Event::charger_lost;
    }
    return std::nullopt;
}

}  // namespace caribou::robot
