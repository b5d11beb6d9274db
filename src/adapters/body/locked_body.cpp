#include "adapters/body/locked_body.hpp"

#include <tuple>

namespace caribou {

motion::SensorReading LockedBody::read(std::size_t sensor) {
    const auto reading = alone([&] { return body_.read(sensor); });
    if (body_.plan().sensors.at(sensor).kind != motion::SensorKind::emergency_stop)
        return reading.value_or(motion::NoReading{});
    std::atomic<Switch>& last = emergency_.at(sensor);
    if (!reading)
        return last == Switch::unknown ? motion::SensorReading() : motion::SensorReading(last == Switch::on);
    const bool* const is_on = std::get_if<bool>(&*reading);
    last = is_on == nullptr ? Switch::unknown : *is_on ? Switch::on : Switch::off;
    return *reading;
}

void LockedBody::drive(motion::WheelSpeeds speeds) {
    if (!alone([&] { return body_.drive(speeds), true; })) std::ignore = cut_motors();
}

Result<void> LockedBody::cut_motors() {
    if (!deferred_) return body_.cut_motors();
    Duration::rep none = no_cut;
    cut_at_.compare_exchange_strong(none, deferred_->clock.now().time_since_epoch().count());
    settle();
    return {};
}

Result<void> LockedBody::cut_instead() {
    if (auto cut = cut_motors(); !cut) return cut;
    return unavailable();
}

std::vector<motion::PartCheck> LockedBody::self_check() {
    if (auto checks = alone([&] { return body_.self_check(); })) return std::move(*checks);
    return {{"body", true, unavailable()}};
}

void LockedBody::apply_cut() {
    const Duration::rep at = cut_at_.exchange(no_cut);
    if (at != no_cut) deferred_->apply(Instant(Duration(at)));
}

void LockedBody::settle() {
    if (cut_at_ == no_cut || !mutex_.try_lock()) return;
    apply_cut();
    mutex_.unlock();
}

}  // namespace caribou
