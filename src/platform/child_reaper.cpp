#include "platform/child_reaper.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace caribou {

struct ChildReaper::State {
    std::mutex mutex;
    std::condition_variable news;
    std::set<pid_t> ended;  // guarded by mutex
    bool ends = false;      // guarded by mutex

    void run() {
        ::pthread_setname_np(::pthread_self(), "reaper");
        std::unique_lock lock(mutex);
        for (;;) {
            news.wait(lock, [this] { return ends || !ended.empty(); });
            if (ended.empty()) return;
            const pid_t child = *ended.begin();
            lock.unlock();
            ::waitpid(child, nullptr, 0);
            lock.lock();
            ended.erase(child);
            news.notify_all();
        }
    }
};

ChildReaper::ChildReaper() : state_(std::make_shared<State>()) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([state = state_] { state->run(); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ChildReaper::~ChildReaper() {
    std::unique_lock lock(state_->mutex);
    state_->ends = true;
    state_->news.notify_all();
    state_->news.wait_for(lock, std::chrono::seconds(1), [this] { return state_->ended.empty(); });
}

void ChildReaper::reap(pid_t child) {
    const std::lock_guard lock(state_->mutex);
    state_->ended.insert(child);
    state_->news.notify_all();
}

}  // namespace caribou
