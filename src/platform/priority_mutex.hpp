#pragma once

#include <pthread.h>

#include "loop/time.hpp"

namespace caribou {

/// A mutex whose holder has, while it holds it, at least the priority of every thread that waits for it. So a
/// real-time thread never waits for a thread that waits for a core.
class PriorityMutex {
public:
    PriorityMutex();
    ~PriorityMutex();
    PriorityMutex(const PriorityMutex&) = delete;
    PriorityMutex& operator=(const PriorityMutex&) = delete;

    void lock();
    bool try_lock();
    /// Returns false if the mutex was held by another thread all the time.
    bool try_lock_for(Duration limit);
    void unlock();

private:
    pthread_mutex_t mutex_{};
};

}  // namespace caribou
