// Compares the engine with a small independent model of its rules: random trees that delegate, cancel, throw
// and are reset at random, including where that is illegal. A failure prints the seed.
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "behavior/behavior_rig.hpp"
#include "behavior/recorder.hpp"
#include "behavior/recording.hpp"
#include "behavior/reference_model.hpp"
#include "behavior/replay.hpp"

namespace caribou::behavior {
namespace {

/// Shared by the behaviors of one run.
struct World {
    explicit World(std::uint64_t seed) : script(seed) {}
    RandomScript script;
    Trace trace;
    BehaviorRunner* runner = nullptr;
    std::vector<Behavior*> behaviors;
};

/// Follows the script, through the runner where it has no control.
class RandomBehavior final : public Behavior {
public:
    RandomBehavior(std::size_t who, World& world) : Behavior(std::to_string(who)), who_(who), world_(world) {
        // The cycle guard has tests of its own.
        (void)declare({.asks_delegates = world.script.asks_delegates[who], .declares_repeat = true});
    }
    void get_all_delegates(DelegateSet& set) const override {
        for (const std::size_t delegate : world_.script.delegates[who_])
            set.insert(*world_.behaviors[delegate]);
    }

protected:
    void on_entered_activatable_scope(Scope&) override { run(Hook::entered, "enter"); }
    Wants wants_to_be_activated(const View&) const override { return run(Hook::asked, "ask"); }
    void on_activated(Control&) override { run(Hook::activated, "activate"); }
    void update(Control&) override { run(Hook::updated, "update"); }
    void on_control_returned(Control&, const Outcome& outcome) override {
        run(Hook::returned, "return " + std::string(to_string(outcome.kind())));
    }
    void on_deactivated(const View&) override { run(Hook::deactivated, "deactivate"); }
    void on_left_activatable_scope(const View&) override { run(Hook::left, "leave"); }

private:
    bool run(Hook hook, const std::string& name) const {
        world_.trace.push_back(fmt::format("{} {}", name, who_));
        const Doings doings = world_.script.next(world_.runner->ticks(), who_, hook);
        for (const Op& op : doings.ops) {
            const bool did = act(op);
            world_.trace.push_back(fmt::format("{} did {}", who_, did));
        }
        if (doings.throws) throw std::runtime_error("bang");
        return doings.willing;
    }
    bool act(const Op& op) const {
        BehaviorRunner& runner = *world_.runner;
        Behavior& self = *world_.behaviors[who_];
        Behavior& target = *world_.behaviors[op.target];
        const auto on_return = [this](Control&, const Outcome& outcome) {
            run(Hook::called_back, "callback " + std::string(to_string(outcome.kind())));
        };
        switch (op.kind) {
            case Op::Kind::ask: return static_cast<bool>(runner.wants(self, target));
            case Op::Kind::delegate: return runner.delegate(self, target).has_value();
            case Op::Kind::delegate_with_callback:
                return runner.delegate(self, target, on_return).has_value();
            case Op::Kind::cancel_silently: return runner.cancel_delegates(self).has_value();
            case Op::Kind::cancel_firing: return runner.cancel_delegates(self, Callback::fires).has_value();
            case Op::Kind::cancel_self: return runner.cancel_self(self).has_value();
        }
        return false;
    }

    std::size_t who_;
    World& world_;
};

std::unique_ptr<BehaviorRunner> make_runner(World& world, const Facts& facts) {
    auto tree = std::make_unique<BehaviorTree>();
    for (std::size_t i = 0; i < world.script.size(); ++i)
        world.behaviors.push_back(&tree->emplace<RandomBehavior>(i, world));
    auto runner = std::make_unique<BehaviorRunner>(
        std::move(tree), facts, RunnerOptions{.limits = {.delegations_per_tick = 1'000'000}});
    world.runner = runner.get();
    return runner;
}

RC_GTEST_PROP(Engine, DoesWhatTheModelDoes, (std::uint64_t seed)) {
    constexpr int ticks = 40;
    const Facts facts;
    World world(seed);
    ReferenceModel model(seed);
    const std::unique_ptr<BehaviorRunner> runner = make_runner(world, facts);
    Recorder recorder(*runner);
    runner->add_observer(recorder);
    std::vector<std::vector<Who>> stacks;
    int pause = 0;
    for (int i = 1; i <= ticks; ++i) {
        // A base that repeatedly ends at once would be a cycle.
        pause = model.idle() ? pause + 1 : 0;
        if (pause > 3 || (!model.idle() && model.script.resets_in(static_cast<std::uint64_t>(i)))) {
            RC_ASSERT(runner->request_reset("random", "0").has_value());
            model.ask_for_reset();
        }
        world.trace.clear();
        runner->tick(Instant(std::chrono::milliseconds(i)));
        model.tick();
        RC_ASSERT(world.trace == model.trace);
        std::vector<Who> stack;
        for (const Behavior* active : runner->stack()) stack.push_back(active->number());
        stacks.push_back(stack);
        const auto expected = model.active();
        RC_ASSERT(std::ranges::equal(stack, expected));
        RC_ASSERT(runner->idle() == model.idle());
        for (std::size_t who = 0; who < world.behaviors.size(); ++who)
            RC_ASSERT((world.behaviors[who]->state() >= Behavior::State::in_scope) == model.in_scope(who));
    }

    const auto recording = Recording::read(recorder.bytes());
    RC_ASSERT(recording.has_value());
    Replay replay(*recording);
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        RC_ASSERT(replay.seek(i + 1).has_value());
        RC_ASSERT(replay.state().stack == stacks[i]);
    }
}

RC_GTEST_PROP(Engine, DoesTheSameFromTheSameSeed, (std::uint64_t seed)) {
    const auto bytes_of_run = [&] {
        const Facts facts;
        World world(seed);
        const std::unique_ptr<BehaviorRunner> runner = make_runner(world, facts);
        Recorder recorder(*runner);
        runner->add_observer(recorder);
        (void)runner->set_base("0");
        for (int i = 0; i < 20; ++i) runner->tick(Instant(std::chrono::milliseconds(i)));
        return Bytes(recorder.bytes().begin(), recorder.bytes().end());
    };
    RC_ASSERT(bytes_of_run() == bytes_of_run());
}

}  // namespace
}  // namespace caribou::behavior
