#include "loop/virtual_loop.hpp"

#include <utility>

#include "base/check.hpp"

namespace caribou {
namespace {

constexpr WallTime wall_start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

/// With more turns than this at one instant, some task reschedules itself forever: fail instead of hanging.
constexpr std::uint64_t max_turns_at_one_instant = 10'000'000;

class StandingClock final : public Clock {
public:
    Instant now() const override { return now_; }
    WallTime wall() const override { return wall_start + stepped_ + now_.time_since_epoch(); }

    Instant now_{};
    Duration stepped_{0};
};

}  // namespace

/// Outlives the loop while a timer refers to it.
struct VirtualLoop::State {
    /// Due instant, and a sequence number that orders timers with equal instants.
    using Slot = std::pair<Instant, std::uint64_t>;

    StandingClock clock;
    std::deque<Task> posted;
    std::map<Slot, VirtualTimer*> armed;
    std::uint64_t armings = 0;
    std::uint64_t turns_here = 0;  ///< since the clock last moved
    bool running = false;          ///< inside a task
    bool over = false;             ///< the loop is destroyed: nothing runs any more

    void move_to(Instant instant);
    bool turn();
    void fire_due_timers();
    void run_posted();
};

class VirtualLoop::VirtualTimer final : public Timer {
public:
    VirtualTimer(std::shared_ptr<State> state, Task on_due)
        : state_(std::move(state)), on_due_(std::make_shared<Task>(std::move(on_due))) {}
    ~VirtualTimer() override { cancel(); }

    void arm(Instant due) override {
        cancel();
        if (state_->over) return;
        slot_ = {due, state_->armings++};
        state_->armed.emplace(slot_, this);
        armed_ = true;
    }

    void cancel() override {
        if (std::exchange(armed_, false)) state_->armed.erase(slot_);
    }

    /// The task is kept alive while it runs, because it may destroy this timer.
    void fire() {
        cancel();
        const std::shared_ptr<Task> task = on_due_;
        (*task)();
    }

private:
    std::shared_ptr<State> state_;
    std::shared_ptr<Task> on_due_;
    State::Slot slot_{};
    bool armed_ = false;
};

void VirtualLoop::State::move_to(Instant instant) {
    if (instant > clock.now_) {
        clock.now_ = instant;
        turns_here = 0;
    }
}

/// Runs one turn: expired timers first, then the tasks that were posted before them or by them. Timers armed
/// by a timer's task and tasks posted by a posted task wait for the next turn. Returns whether anything ran.
bool VirtualLoop::State::turn() {
    const bool due = !armed.empty() && armed.begin()->first.first <= clock.now_;
    if (!due && posted.empty()) return false;
    check(++turns_here < max_turns_at_one_instant,
          "the clock can move on; some task posts itself or arms its timer for now, for ever");
    running = true;
    fire_due_timers();
    run_posted();
    running = false;
    return true;
}

void VirtualLoop::State::fire_due_timers() {
    const std::uint64_t fence = armings;
    auto next = armed.begin();
    while (next != armed.end() && next->first.first <= clock.now_) {
        const Slot slot = next->first;
        if (slot.second < fence) next->second->fire();
        next = armed.upper_bound(slot);
    }
}

void VirtualLoop::State::run_posted() {
    for (std::size_t left = posted.size(); left > 0; --left) {
        Task task = std::move(posted.front());
        posted.pop_front();
        task();
    }
}

VirtualLoop::VirtualLoop() : state_(std::make_shared<State>()) {}

VirtualLoop::~VirtualLoop() {
    // Waiting tasks may own timers, which own the state: destroy the tasks to break the cycle.
    state_->over = true;
    while (!state_->posted.empty()) std::exchange(state_->posted, {}).clear();
}

const Clock& VirtualLoop::clock() const { return state_->clock; }

void VirtualLoop::post(Task task) {
    if (!state_->over) state_->posted.push_back(std::move(task));
}

std::unique_ptr<Timer> VirtualLoop::make_timer(Task on_due) {
    return std::make_unique<VirtualTimer>(state_, std::move(on_due));
}

void VirtualLoop::run_ready() {
    check(!state_->running, "a virtual loop is run from outside, not by one of its own tasks");
    while (state_->turn()) {}
}

void VirtualLoop::advance(Duration step) {
    check(step >= Duration::zero(), "time does not run backwards");
    run_until([] { return false; }, step);
}

bool VirtualLoop::run_until(const std::move_only_function<bool() const>& condition, Duration limit) {
    check(!state_->running, "a virtual loop is run from outside, not by one of its own tasks");
    const Instant now = state_->clock.now_;
    const Instant end = limit < Instant::max() - now ? now + limit : Instant::max();
    while (!condition()) {
        if (state_->turn()) continue;
        const auto next = state_->armed.begin();
        if (next == state_->armed.end() || next->first.first > end) {
            state_->move_to(end);
            return condition();
        }
        state_->move_to(next->first.first);
    }
    return true;
}

void VirtualLoop::take_time(Duration time) {
    check(state_->running, "only what runs on the loop takes time");
    state_->move_to(state_->clock.now_ + time);
}

void VirtualLoop::step_wall(Duration step) { state_->clock.stepped_ += step; }

bool VirtualLoop::idle() const { return state_->posted.empty() && state_->armed.empty(); }

}  // namespace caribou
