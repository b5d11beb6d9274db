#include "behavior/engine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace caribou::behavior {
namespace {

Result<Behavior*> find(const BehaviorTree& tree, std::string_view id) {
    if (Behavior* found = tree.find(id)) return found;
    return fail(Code::not_found, fmt::format("there is no behavior {} in the tree", id));
}

}  // namespace

Engine::Engine(std::unique_ptr<BehaviorTree> tree, const Facts& facts, RunnerOptions options)
    : options_(std::move(options)),
      tree_(std::move(tree)),
      state_{.facts = facts, .random = Random(options_.seed)},
      events_(options_.limits.events),
      lifecycle_(state_, journal_, sensors_, events_, options_.limits.depth),
      gatekeeper_(state_, journal_, lifecycle_),
      delegation_(state_, journal_, lifecycle_, gatekeeper_, options_.limits, *this),
      watch_(options_.overrun) {
    init_tree();
}

Engine::~Engine() {
    state_.phase = Phase::changing;
    drop_base();
}

Result<void> Engine::set_base(std::string_view id) {
    const Result<Behavior*> base = find(*tree_, id);
    if (!base) return fail(base.error());
    if (!delegation_.stack().empty())
        return fail(Code::wrong_state,
                    fmt::format("{} is active: ask for a reset to {}", base_->id(), (*base)->id()));
    return request_reset({}, id);
}

Result<void> Engine::request_reset(std::string why, std::string_view base) {
    if (reset_ && reset_->tree) return fail(Code::wrong_state, "a new tree takes its place in the next tick");
    if (!base.empty())
        if (const Result<Behavior*> known = find(*tree_, base); !known) return fail(known.error());
    if (base.empty() && base_) base = base_->id();
    if (base.empty()) return fail(Code::wrong_state, "there is no base: name one");
    reset_ = Reset{std::move(why), std::string(base)};
    delegation_.set_closed(true);
    return {};
}

void Engine::request_end(std::string why) {
    if (idle()) return;
    if (reset_) {
        reset_->base.clear();
        return;
    }
    reset_ = Reset{std::move(why), {}};
    delegation_.set_closed(true);
}

Result<void> Engine::request_tree(std::unique_ptr<BehaviorTree> tree, std::string_view base) {
    if (const Result<Behavior*> known = find(*tree, base); !known) return fail(known.error());
    reset_ = Reset{"a new tree", std::string(base), std::move(tree)};
    delegation_.set_closed(true);
    return {};
}

void Engine::post(std::string_view topic, Value value) {
    if (events_.post(topic, std::move(value))) return;
    // One report per tick: a flood of events must not become a flood of reports.
    if (std::exchange(reported_lost_event_, true)) return;
    journal_.broken(nobody, Rule::event_limit, topic);
}

Difference Engine::tick(Instant now) {
    if (state_.phase != Phase::outside) {
        journal_.broken(nobody, Rule::inside_tick, "tick was called inside a tick");
        return difference();
    }
    ++state_.tick;
    state_.now = now;
    journal_.begin();
    old_tree_.reset();
    events_.begin();
    reported_lost_event_ = false;
    watch_.begin_tick();
    gatekeeper_.begin_tick();
    delegation_.begin_tick();
    {
        const PhaseGuard guard(state_, Phase::open);
        do_reset();
        start_base();
        delegation_.poll_action();
        walk_stack();
        update_scope();
    }
    watch_.end_tick(journal_);
    journal_.end();
    tell_observers();
    return difference();
}

void Engine::init_tree() {
    for (std::size_t i = 0; i < tree_->size(); ++i) {
        lifecycle_.attach((*tree_)[i], *this);
        lifecycle_.init((*tree_)[i]);
    }
}

void Engine::do_reset() {
    if (!reset_) return;
    Reset reset = std::move(*reset_);
    reset_.reset();
    delegation_.set_closed(false);
    if (!delegation_.stack().empty()) journal_.note(StackReset{journal_.keep(reset.why)});
    drop_base();
    if (reset.tree) {
        lifecycle_.sort_scope();
        old_tree_ = std::exchange(tree_, std::move(reset.tree));
        journal_.note(TreeChanged{});
        init_tree();
    }
    base_ = tree_->find(reset.base);
}

void Engine::drop_base() {
    delegation_.clear(Outcome::cancelled("reset"));
    Behavior* base = std::exchange(base_, nullptr);
    if (base && Lifecycle::standing(*base).scope > 0) lifecycle_.leave_scope(*base);
}

void Engine::start_base() {
    if (!base_ || base_->state() == Behavior::State::active) return;
    if (base_->state() == Behavior::State::out_of_scope) lifecycle_.enter_scope(*base_);
    if (!gatekeeper_.ask(*base_, delegation_.stack())) return;
    // A refusal is in the journal; the base is asked again in the next tick.
    if (delegation_.push_base(*base_, *tree_)) delegation_.unwind();
}

void Engine::on_base_ended() {
    Behavior* base = std::exchange(base_, nullptr);
    lifecycle_.leave_scope(*base);
    journal_.note(BecameIdle{});
}

void Engine::on_cycle(const CycleFound& cycle) {
    journal_.note(cycle);
    if (reset_) return;
    const std::string first = (*tree_)[cycle.first].id();
    const std::string second = (*tree_)[cycle.second].id();
    std::string why = first == second ? fmt::format("{} was started five times in a row", first)
                                      : fmt::format("{} and {} take turns without end", first, second);
    if (const auto& ended = Lifecycle::standing((*tree_)[cycle.first]).ended;
        ended && ended->outcome.kind() == Outcome::Kind::failed)
        why += fmt::format("; {} has ended, {}", first, to_string(ended->outcome));
    const std::string safe = tree_->find(options_.safe_behavior) ? options_.safe_behavior : base_->id();
    reset_ = Reset{std::move(why), safe};
    delegation_.set_closed(true);
}

void Engine::walk_stack() {
    delegation_.begin_walk();
    while (Behavior* behavior = delegation_.next_of_walk())
        if (Lifecycle::standing(*behavior).updated != state_.tick) take_turn(*behavior);
}

void Engine::update_scope() {
    lifecycle_.sort_scope();
    // Behaviors that enter scope from here on are beyond `end` and get their turn in the next tick.
    const std::size_t end = lifecycle_.in_scope().size();
    const bool timing = watch_.timing();
    for (std::size_t i = 0; i < end; ++i) {
        Behavior& behavior = *lifecycle_.in_scope()[i];
        const Standing& standing = Lifecycle::standing(behavior);
        if (standing.updated == state_.tick || standing.scope == 0) continue;
        if (timing || standing.state == Behavior::State::active) [[unlikely]] {
            take_turn(behavior);
            continue;
        }
        lifecycle_.take_turn(behavior);
        if (delegation_.unsettled()) [[unlikely]]
            delegation_.unwind();
    }
}

void Engine::take_turn(Behavior& behavior) {
    if (!watch_.timing()) [[likely]] {
        delegation_.take_turn(behavior);
        return;
    }
    watch_.begin_update();
    delegation_.take_turn(behavior);
    watch_.end_update(behavior.number());
}

Wants Engine::wants(Behavior& by, Behavior& delegate) {
    const auto refused = [&](Rule rule) {
        journal_.broken(by.number(), rule, delegate.id());
        return Wants{Gate::scope, sentence(rule)};
    };
    const bool asks_inside = gatekeeper_.is_asking(by) && by.modifiers().asks_delegates;
    if (const std::optional<Rule> rule = delegation_.forbids_calls(); rule && !asks_inside)
        return refused(*rule);
    if (!tree_->owns(delegate)) return refused(Rule::own_tree);
    if (asks_inside) return gatekeeper_.ask_inside(by, delegate);
    return gatekeeper_.ask(delegate, delegation_.stack());
}

Result<void> Engine::delegate(Behavior& by, Behavior& delegate, OnReturn on_return) {
    return delegation_.delegate(by, delegate, std::move(on_return), *tree_);
}

Wants Engine::why_not(const Behavior& behavior) const {
    const Standing& standing = Lifecycle::standing(behavior);
    if (standing.scope == 0) return {Gate::scope, "no active behavior lists it"};
    if (standing.state == Behavior::State::active) return {Gate::active, "it is active"};
    if (standing.answered) return standing.answer;
    return {Gate::scope, standing.ended ? "its parent has not considered it again"
                                        : "its parent has not considered it yet"};
}

Difference Engine::difference() const {
    return {.tick = state_.tick,
            .now = state_.now,
            .tree = *tree_,
            .old_tree = old_tree_.get(),
            .stack = delegation_.stack(),
            .changes = journal_.changes()};
}

void Engine::tell_observers() {
    const PhaseGuard guard(state_, Phase::changing);
    const Difference told = difference();
    is_telling_ = true;
    const std::size_t count = observers_.size();  // those that are added meanwhile wait for the next tick
    for (std::size_t i = 0; i < count; ++i)
        if (Observer* const observer = observers_[i])
            contain(journal_, nobody, "an observer", [&] { observer->on_tick(told); });
    is_telling_ = false;
    std::erase(observers_, nullptr);
}

void Engine::remove_observer(Observer& observer) {
    if (is_telling_)
        std::ranges::replace(observers_, &observer, nullptr);
    else
        std::erase(observers_, &observer);
}

}  // namespace caribou::behavior
