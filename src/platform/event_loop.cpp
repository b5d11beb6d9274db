#include "platform/event_loop.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "base/check.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/further_signals.hpp"

namespace caribou {

namespace {

std::chrono::steady_clock::time_point to_steady(Instant instant) {
    return std::chrono::steady_clock::time_point(instant.time_since_epoch());
}

void run_all(std::vector<Task>& tasks) {
    for (Task& task : tasks) {
        task();
        task = nullptr;
    }
    tasks.clear();
}

}  // namespace

class EventLoopCore::LoopTimer final : public Timer {
public:
    LoopTimer(EventLoopCore& core, Task on_due) : core_(core), entry_(std::move(on_due)) {}
    void arm(Instant due) override {
        core_.timers_.arm(entry_, due);
        core_.set_wake();
    }
    void cancel() override { core_.timers_.cancel(entry_); }

private:
    EventLoopCore& core_;
    TimerQueue::Entry entry_;
};

struct EventLoopCore::TurnEnd {
    using allocator_type = SlotAllocator<>;
    allocator_type get_allocator() const { return allocator_type(core->turn_slot_); }
    void operator()() const { core->run_posted(); }
    EventLoopCore* core;
};

struct EventLoopCore::ForeignEnd {
    using allocator_type = SlotAllocator<>;
    allocator_type get_allocator() const { return allocator_type(core->foreign_slot_); }
    void operator()() const { core->run_foreign(); }
    EventLoopCore* core;
};

struct EventLoopCore::DueEnd {
    using allocator_type = SlotAllocator<>;
    allocator_type get_allocator() const { return allocator_type(core->due_slot_); }
    void operator()() const {
        core->due_is_posted_ = false;
        core->run_due_timers();
    }
    EventLoopCore* core;
};

EventLoopCore::EventLoopCore() = default;

// Asio runs a handler posted from within a handler after all handlers that are ready, without waking up: one
// such handler runs all tasks of the turn.
void EventLoopCore::post(Task task) {
    posted_.push_back(std::move(task));
    if (posted_.size() == 1) boost::asio::post(io_, TurnEnd{this});
}

void EventLoopCore::run_posted() {
    running_.swap(posted_);
    run_all(running_);
}

void EventLoopCore::post_from_any_thread(Task task) {
    const std::lock_guard lock(foreign_mutex_);
    foreign_.push_back(std::move(task));
    if (foreign_.size() == 1) boost::asio::post(io_, ForeignEnd{this});
}

void EventLoopCore::run_foreign() {
    {
        const std::lock_guard lock(foreign_mutex_);
        running_foreign_.swap(foreign_);
    }
    run_all(running_foreign_);
}

std::unique_ptr<Timer> EventLoopCore::make_timer(Task on_due) {
    return std::make_unique<LoopTimer>(*this, std::move(on_due));
}

// A single Asio timer serves all timers, and is only moved to an earlier time. When the earliest timer was
// canceled or moved back, it fires once without effect, which is cheaper than moving it each time.
void EventLoopCore::set_wake() {
    const auto next = timers_.next();
    if (running_timers_ || !next || *next >= wake_at_) return;
    wake_at_ = *next;
    // A timer that is already due runs at the end of the turn instead of waiting for the system's timer,
    // which is late.
    if (wake_at_ <= clock_.now()) {
        if (!std::exchange(due_is_posted_, true)) boost::asio::post(io_, DueEnd{this});
        return;
    }
    wake_.expires_at(to_steady(wake_at_));
    wake_.async_wait([this](const boost::system::error_code& moved) {
        if (!moved) run_due_timers();
    });
}

void EventLoopCore::run_due_timers() {
    wake_at_ = Instant::max();
    running_timers_ = true;
    timers_.run_due(clock_.now());
    running_timers_ = false;
    set_wake();
}

void EventLoopCore::run() {
    io_.run();
    io_.restart();
}

bool EventLoopCore::run_until(const std::move_only_function<bool() const>& condition, Duration limit) {
    bool late = false;
    const auto deadline = make_timer([&late] { late = true; });
    deadline->arm(clock_.now() + limit);
    while (!condition() && !late && io_.run_one() > 0) {}
    io_.restart();
    return condition();
}

void EventLoopCore::catch_signals(std::initializer_list<int> signals) {
    caught_ = signals;
    for (const int signal : signals) {
        boost::system::error_code failed;
        signals_.add(signal, failed);
        check(!failed, "signals can be caught");
    }
}

void EventLoopCore::watch_signals(std::initializer_list<int> signals, std::function<void(int)> on_signal) {
    on_signal_ = std::move(on_signal);
    catch_signals(signals);
    wait_for_signal();
}

void EventLoopCore::wait_for_signal() {
    signals_.async_wait([this](const boost::system::error_code& cancelled, int signal) {
        if (cancelled) return;
        on_signal_(signal);
        wait_for_signal();
    });
}

void EventLoopCore::stop_on_signals(std::initializer_list<int> signals) {
    catch_signals(signals);
    signals_.async_wait([this](const boost::system::error_code& cancelled, int signal) {
        if (cancelled) return;
        stopped_by_ = signal;
        restore_after_a_second(caught_, [this] {
            boost::system::error_code ignored;
            signals_.clear(ignored);
        });
        stop();
    });
}

EventLoop::EventLoop() : core_(std::make_unique<EventLoopCore>()) {}
EventLoop::~EventLoop() = default;
const Clock& EventLoop::clock() const { return core_->clock(); }
void EventLoop::post(Task task) { core_->post(std::move(task)); }
std::unique_ptr<Timer> EventLoop::make_timer(Task on_due) { return core_->make_timer(std::move(on_due)); }
void EventLoop::post_from_any_thread(Task task) { core_->post_from_any_thread(std::move(task)); }
void EventLoop::run() { core_->run(); }
void EventLoop::stop() { core_->stop(); }
bool EventLoop::run_until(const std::move_only_function<bool() const>& condition, Duration limit) {
    return core_->run_until(condition, limit);
}
void EventLoop::stop_on_signals(std::initializer_list<int> signals) { core_->stop_on_signals(signals); }
void EventLoop::watch_signals(std::initializer_list<int> signals, std::function<void(int)> on_signal) {
    core_->watch_signals(signals, std::move(on_signal));
}
int EventLoop::stopped_by() const { return core_->stopped_by(); }

}  // namespace caribou
