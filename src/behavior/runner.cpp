#include "behavior/runner.hpp"

#include <utility>

#include "behavior/engine.hpp"

namespace caribou::behavior {

BehaviorRunner::BehaviorRunner(std::unique_ptr<BehaviorTree> tree, const Facts& facts, RunnerOptions options)
    : engine_(std::make_unique<Engine>(std::move(tree), facts, std::move(options))) {}
BehaviorRunner::~BehaviorRunner() = default;

Result<void> BehaviorRunner::set_base(std::string_view id) { return engine_->set_base(id); }
Result<void> BehaviorRunner::request_reset(std::string why, std::string_view base) {
    return engine_->request_reset(std::move(why), base);
}
void BehaviorRunner::request_end(std::string why) { engine_->request_end(std::move(why)); }
Result<void> BehaviorRunner::request_tree(std::unique_ptr<BehaviorTree> tree, std::string_view base) {
    return engine_->request_tree(std::move(tree), base);
}
void BehaviorRunner::post(std::string_view topic, Value value) { engine_->post(topic, std::move(value)); }
Difference BehaviorRunner::tick(Instant now) { return engine_->tick(now); }

bool BehaviorRunner::idle() const { return engine_->idle(); }
std::span<Behavior* const> BehaviorRunner::stack() const { return engine_->delegation().stack(); }
const BehaviorTree& BehaviorRunner::tree() const { return engine_->tree(); }
std::uint64_t BehaviorRunner::ticks() const { return engine_->state().tick; }
std::uint64_t BehaviorRunner::overruns() const { return engine_->overruns().overruns(); }
Wants BehaviorRunner::why_not(const Behavior& behavior) const { return engine_->why_not(behavior); }
const BehaviorEnd* BehaviorRunner::last_end(const Behavior& behavior) const {
    const auto& ended = Lifecycle::standing(behavior).ended;
    return ended ? &*ended : nullptr;
}
Instant BehaviorRunner::now() const { return engine_->now(); }

void BehaviorRunner::add_observer(Observer& observer) { engine_->add_observer(observer); }
void BehaviorRunner::remove_observer(Observer& observer) { engine_->remove_observer(observer); }
void BehaviorRunner::add_gate(RequirementGate& gate) { engine_->gatekeeper().add(gate); }
void BehaviorRunner::remove_gate(RequirementGate& gate) { engine_->gatekeeper().remove(gate); }
void BehaviorRunner::set_sensor_switch(SensorSwitch* sensor_switch) {
    engine_->sensors().set_switch(sensor_switch);
}
const SensorModes& BehaviorRunner::sensor_modes() const { return engine_->sensors(); }

Wants BehaviorRunner::wants(Behavior& by, Behavior& delegate) { return engine_->wants(by, delegate); }
Result<void> BehaviorRunner::delegate(Behavior& by, Behavior& delegate, OnReturn on_return) {
    return engine_->delegate(by, delegate, std::move(on_return));
}
Result<void> BehaviorRunner::cancel_delegates(Behavior& by, Callback callback) {
    return engine_->delegation().cancel_delegates(by, callback);
}
Result<void> BehaviorRunner::cancel_self(Behavior& by) {
    return engine_->delegation().finish(by, Outcome::cancelled(), Callback::stays_silent);
}
bool BehaviorRunner::is_control_delegated(const Behavior& by) const {
    return engine_->delegation().is_control_delegated(by);
}
bool BehaviorRunner::can_delegate(const Behavior& by) const { return engine_->delegation().can_delegate(by); }

}  // namespace caribou::behavior
