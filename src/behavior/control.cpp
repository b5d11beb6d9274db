#include "behavior/control.hpp"

#include <utility>

#include "behavior/engine.hpp"

namespace caribou::behavior {

Instant View::now() const { return engine_->state().now; }
std::uint64_t View::tick() const { return engine_->state().tick; }
const Facts& View::facts() const { return engine_->state().facts; }
bool View::is_active() const { return self_->state() == Behavior::State::active; }
bool View::is_in_scope() const { return Lifecycle::standing(*self_).scope > 0; }
bool View::is_control_delegated() const { return engine_->delegation().is_control_delegated(*self_); }
bool View::can_delegate() const { return engine_->delegation().can_delegate(*self_); }

bool View::is_base() const { return engine_->is_base(*self_); }
Wants View::wants(Behavior& delegate) const { return engine_->wants(*self_, delegate); }

void Scope::keep(Undo undo) { engine_->lifecycle().keep(*self_, std::move(undo)); }
void Scope::after(Duration delay, TimerTask task) {
    engine_->lifecycle().after(*self_, delay, std::move(task));
}

std::span<const Event* const> Control::events() const { return engine_->lifecycle().events_of(*self_); }
Random& Control::random() { return engine_->state().random; }
Moment Control::moment() { return engine_->lifecycle().moment_of(*self_); }

Result<void> Control::delegate(Behavior& delegate, OnReturn on_return) {
    return engine_->delegate(*self_, delegate, std::move(on_return));
}

Result<void> Control::delegate(Action& action, OnReturn on_return) {
    return engine_->delegation().delegate(*self_, action, nullptr, std::move(on_return));
}

Result<void> Control::delegate(std::unique_ptr<Action> action, OnReturn on_return) {
    Action& started = *action;
    return engine_->delegation().delegate(*self_, started, std::move(action), std::move(on_return));
}

Result<void> Control::cancel_delegates(Callback callback) {
    return engine_->delegation().cancel_delegates(*self_, callback);
}

Result<void> Control::cancel_self() {
    return engine_->delegation().finish(*self_, Outcome::cancelled(), Callback::stays_silent);
}

Result<void> Control::finish(Outcome outcome) {
    return engine_->delegation().finish(*self_, std::move(outcome), Callback::fires);
}

}  // namespace caribou::behavior
