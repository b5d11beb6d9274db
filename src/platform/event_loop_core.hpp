#pragma once

// Private to platform: includes Asio.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "loop/loop.hpp"
#include "platform/handler_slot.hpp"
#include "platform/system_clock.hpp"
#include "platform/timer_queue.hpp"

namespace caribou {

/// The implementation of EventLoop. Asio waits for descriptors and for the next timer; posted tasks and
/// timers are kept here, because that needs no allocation and fewer system calls.
class EventLoopCore {
public:
    EventLoopCore();

    boost::asio::io_context& io() { return io_; }
    const SystemClock& clock() const { return clock_; }

    void post(Task task);
    void post_from_any_thread(Task task);
    std::unique_ptr<Timer> make_timer(Task on_due);

    void run();
    void stop() { io_.stop(); }
    bool run_until(const std::move_only_function<bool() const>& condition, Duration limit);
    void stop_on_signals(std::initializer_list<int> signals);
    void watch_signals(std::initializer_list<int> signals, std::function<void(int)> on_signal);
    int stopped_by() const { return stopped_by_; }

private:
    class LoopTimer;
    struct TurnEnd;
    struct ForeignEnd;
    struct DueEnd;

    void catch_signals(std::initializer_list<int> signals);
    void wait_for_signal();
    void run_posted();
    void run_foreign();
    void run_due_timers();
    void set_wake();

    SystemClock clock_;
    // Asio returns the slots when it is destroyed, so they must outlive it; tasks may own streams and timers,
    // so they are destroyed before it.
    HandlerSlot turn_slot_;
    HandlerSlot foreign_slot_;
    HandlerSlot due_slot_;
    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> stay_{io_.get_executor()};
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>,
                                      boost::asio::io_context::executor_type>
        wake_{io_};
    Instant wake_at_ = Instant::max();
    boost::asio::signal_set signals_{io_};
    int stopped_by_ = 0;
    std::vector<int> caught_;  ///< the signals of signals_
    std::function<void(int)> on_signal_;

    TimerQueue timers_;
    bool running_timers_ = false;
    bool due_is_posted_ = false;

    std::vector<Task> posted_;
    std::vector<Task> running_;
    std::mutex foreign_mutex_;
    std::vector<Task> foreign_;  // guarded by foreign_mutex_
    std::vector<Task> running_foreign_;
};

}  // namespace caribou
