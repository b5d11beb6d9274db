#include "adapters/bus_files/journal_thread.hpp"

namespace caribou {

JournalThread::JournalThread(EventLoop& loop, bus::JournalFiles& files, Log& log)
    : loop_(loop), files_(files), log_(log), thread_([this] { run(); }) {}

JournalThread::~JournalThread() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    news_.notify_one();
    thread_.join();
}

void JournalThread::perform(bus::JournalStep step, Done done) {
    {
        const std::lock_guard lock(mutex_);
        steps_.emplace_back(std::move(step), std::move(done));
    }
    news_.notify_one();
}

void JournalThread::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        news_.wait(lock, [this] { return ending_ || !steps_.empty(); });
        if (steps_.empty()) return;
        auto [step, done] = std::move(steps_.front());
        steps_.pop_front();
        lock.unlock();
        Result<void> result = files_.perform(step);
        lock.lock();
        // The loop is no longer running then.
        if (ending_ && !result) log_.error("the last values are not kept: " + result.error().message);
        loop_.post_from_any_thread(
            [tell = std::move(done), result = std::move(result)]() mutable { tell(result); });
    }
}

}  // namespace caribou
