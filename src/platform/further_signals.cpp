#include "platform/further_signals.hpp"

#include <signal.h>
#include <time.h>

#include <atomic>
#include <cstdint>

namespace caribou {
namespace {

constexpr std::int64_t second = 1'000'000'000;

/// Time of the first signal in nanoseconds. Global, because signal handlers belong to the process.
std::atomic<std::int64_t> first_signal{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Async-signal-safe.
std::int64_t nanoseconds_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * second + now.tv_nsec;
}

void on_further_signal(int number) {
    if (nanoseconds_now() - first_signal.load() < second) return;
    ::signal(number, SIG_DFL);
    ::raise(number);  // takes effect when this handler returns
}

}  // namespace

void restore_after_a_second(const std::vector<int>& signals, const std::function<void()>& remove_handlers) {
    sigset_t all;
    sigset_t before;
    ::sigemptyset(&all);
    for (const int number : signals) ::sigaddset(&all, number);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    remove_handlers();
    first_signal = nanoseconds_now();
    struct sigaction action{};
    action.sa_handler = on_further_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : signals) ::sigaction(number, &action, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace caribou
