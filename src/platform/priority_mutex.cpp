#include "platform/priority_mutex.hpp"

#include <time.h>

#include <cerrno>

#include "base/check.hpp"

namespace caribou {
namespace {

timespec later_by(Duration limit, clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    const Duration until = std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec) + limit;
    return {.tv_sec = until / std::chrono::seconds(1), .tv_nsec = (until % std::chrono::seconds(1)).count()};
}

}  // namespace

PriorityMutex::PriorityMutex() {
    pthread_mutexattr_t attributes{};
    ::pthread_mutexattr_init(&attributes);
    const bool made = ::pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0 &&
                      ::pthread_mutex_init(&mutex_, &attributes) == 0;
    ::pthread_mutexattr_destroy(&attributes);
    check(made, "Linux has mutexes with priority inheritance");
}

PriorityMutex::~PriorityMutex() { ::pthread_mutex_destroy(&mutex_); }

void PriorityMutex::lock() { check(::pthread_mutex_lock(&mutex_) == 0, "a mutex is not locked twice"); }

bool PriorityMutex::try_lock() { return ::pthread_mutex_trylock(&mutex_) == 0; }

bool PriorityMutex::try_lock_for(Duration limit) {
    if (try_lock()) return true;
    if (limit <= Duration::zero()) return false;
    const timespec until = later_by(limit, CLOCK_MONOTONIC);
    const int outcome = ::pthread_mutex_clocklock(&mutex_, CLOCK_MONOTONIC, &until);
    if (outcome != EINVAL) return outcome == 0;
    // A kernel before 5.14 waits for such a mutex by the time of day only.
    const timespec by_wall = later_by(limit, CLOCK_REALTIME);
    return ::pthread_mutex_timedlock(&mutex_, &by_wall) == 0;
}

void PriorityMutex::unlock() { ::pthread_mutex_unlock(&mutex_); }

}  // namespace caribou
