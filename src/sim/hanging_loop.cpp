#include "sim/hanging_loop.hpp"

#include <deque>
#include <set>
#include <utility>

namespace caribou::sim {

struct HangingLoop::State {
    bool hangs = false;
    std::deque<Task> waiting;
    std::set<HangingTimer*> late;  ///< timers that were due while it hung
};

class HangingLoop::HangingTimer final : public Timer {
public:
    HangingTimer(Loop& below, std::shared_ptr<State> state, Task on_due)
        : state_(std::move(state)),
          on_due_(std::move(on_due)),
          below_(below.make_timer([this] { on_time(); })) {}
    ~HangingTimer() override { state_->late.erase(this); }
    HangingTimer(const HangingTimer&) = delete;
    HangingTimer& operator=(const HangingTimer&) = delete;

    void arm(Instant due) override {
        state_->late.erase(this);
        below_->arm(due);
    }
    void cancel() override {
        state_->late.erase(this);
        below_->cancel();
    }

private:
    void on_time() {
        if (state_->hangs)
            state_->late.insert(this);
        else
            on_due_();
    }

    std::shared_ptr<State> state_;
    Task on_due_;
    std::unique_ptr<Timer> below_;
};

HangingLoop::HangingLoop(Loop& below) : below_(below), state_(std::make_shared<State>()) {}

HangingLoop::~HangingLoop() = default;

bool HangingLoop::hangs() const { return state_->hangs; }

void HangingLoop::set_hanging(bool hangs) {
    state_->hangs = hangs;
    if (hangs) return;
    for (Task& task : std::exchange(state_->waiting, {})) below_.post(std::move(task));
    for (HangingTimer* const timer : std::exchange(state_->late, {})) timer->arm(clock().now());
}

void HangingLoop::post(Task task) {
    below_.post([state = state_, task = std::move(task)]() mutable {
        if (state->hangs)
            state->waiting.push_back(std::move(task));
        else
            task();
    });
}

std::unique_ptr<Timer> HangingLoop::make_timer(Task on_due) {
    return std::make_unique<HangingTimer>(below_, state_, std::move(on_due));
}

}  // namespace caribou::sim
