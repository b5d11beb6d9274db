#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "behavior/runner.hpp"

namespace caribou::behavior {

using Trace = std::vector<std::string>;

/// A behavior for tests that records every call as `<what> <id>` and runs the hooks set by the test.
class Scripted : public Behavior {
public:
    Scripted(std::string id, Trace& trace) : Behavior(std::move(id)), trace_(trace) {}

    std::vector<Behavior*> delegates{};
    std::function<void(const View&)> in_init{};
    std::function<void(Scope&)> in_entered{};
    std::function<Wants(const View&)> in_wants{};
    std::function<void(Control&)> in_activated{};
    std::function<void(Control&)> in_update{};
    std::function<void(Control&, const Outcome&)> in_returned{};
    std::function<void(const View&)> in_deactivated{};
    std::function<void(const View&)> in_left{};
    Control* control = nullptr;  ///< from its last update or activation

    void get_all_delegates(DelegateSet& set) const override {
        for (Behavior* delegate : delegates) set.insert(*delegate);
    }

protected:
    void init(const View& view) override { note("init"), call(in_init, view); }
    void on_entered_activatable_scope(Scope& scope) override { note("enter"), call(in_entered, scope); }
    Wants wants_to_be_activated(const View& view) const override {
        note("ask");
        return in_wants ? in_wants(view) : Wants::yes();
    }
    void on_activated(Control& handed) override {
        control = &handed;
        note("activate"), call(in_activated, handed);
    }
    void update(Control& handed) override {
        control = &handed;
        note("update"), call(in_update, handed);
    }
    void on_control_returned(Control& handed, const Outcome& outcome) override {
        note("return"), call(in_returned, handed, outcome);
    }
    void on_deactivated(const View& view) override { note("deactivate"), call(in_deactivated, view); }
    void on_left_activatable_scope(const View& view) override { note("leave"), call(in_left, view); }

private:
    void note(const char* what) const { trace_.push_back(std::string(what) + " " + id()); }
    template <class Hook, class... Arguments>
    static void call(Hook& hook, Arguments&&... arguments) {
        // A copy, because a hook may replace itself.
        if (const Hook now = hook) now(std::forward<Arguments>(arguments)...);
    }

    Trace& trace_;
};

/// A runner over a tree that a test first builds and then starts.
class Rig {
public:
    Scripted& make(const std::string& id) { return building_->emplace<Scripted>(id, trace); }
    template <class T, class... Arguments>
    T& add(Arguments&&... arguments) {
        return building_->emplace<T>(std::forward<Arguments>(arguments)...);
    }
    /// Creates the runner, sets the base and runs the first tick.
    void start(std::string_view base, RunnerOptions options = {}) {
        make_runner(std::move(options));
        (void)runner->set_base(base);
        tick();
    }
    void make_runner(RunnerOptions options = {}) {
        runner = std::make_unique<BehaviorRunner>(std::move(building_), facts, std::move(options));
    }

    /// Runs one tick, 10 ms later. Afterwards `trace` contains its calls.
    void tick() { tick(std::chrono::milliseconds(10)); }
    void tick(Duration step) {
        trace.clear();
        now += step;
        const Difference difference = runner->tick(now);
        changes.clear();
        for (const Change& change : difference.changes) changes.push_back(describe(change, difference.tree));
        base_end = end_of_base(difference);
        broken.clear();
        for (const Change& change : difference.changes)
            if (const auto* rule = std::get_if<RuleBroken>(&change)) broken.push_back(rule->rule);
    }
    Trace stack() const {
        Trace ids;
        for (const Behavior* active : runner->stack()) ids.push_back(active->id());
        return ids;
    }

    Trace trace;
    Facts facts;
    Instant now{};
    std::vector<std::string> changes;  ///< of the last tick, as text
    std::vector<Rule> broken;          ///< rules broken in the last tick
    std::string base_end;              ///< how the base ended in the last tick, if it did
    std::unique_ptr<BehaviorRunner> runner;

private:
    std::unique_ptr<BehaviorTree> building_ = std::make_unique<BehaviorTree>();
};

/// Asks `delegate` and delegates to it after a yes. Returns whether it was delegated to.
inline bool ask_and_delegate(Control& control, Behavior& delegate, OnReturn on_return = {}) {
    return control.wants(delegate) && control.delegate(delegate, std::move(on_return));
}

}  // namespace caribou::behavior
