#include "platform/locked_body.hpp"

#include <tuple>

namespace caribou {

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
