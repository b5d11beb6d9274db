#include "platform/background_log.hpp"

#include <signal.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace caribou {

struct BackgroundLog::State {
    struct Line {
        Level level;
        std::string text;
    };

    std::unique_ptr<Log> log;
    std::mutex mutex;
    std::condition_variable news;
    std::deque<Line> lines;   // guarded by mutex
    std::size_t dropped = 0;  // guarded by mutex
    bool writing = false;     // guarded by mutex
    bool ends = false;        // guarded by mutex

    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            writing = false;
            news.notify_all();
            news.wait(lock, [this] { return ends || !lines.empty(); });
            if (lines.empty()) return;
            const Line line = std::move(lines.front());
            lines.pop_front();
            const std::size_t lost = std::exchange(dropped, 0);
            writing = true;
            lock.unlock();
            log->write(line.level, line.text);
            if (lost > 0) log->warning(fmt::format("{} lines of the log were dropped", lost));
            lock.lock();
        }
    }
};

BackgroundLog::BackgroundLog(std::unique_ptr<Log> log) : state_(std::make_shared<State>()) {
    state_->log = std::move(log);
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([state = state_] { state->run(); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

BackgroundLog::~BackgroundLog() {
    std::unique_lock lock(state_->mutex);
    state_->ends = true;
    state_->news.notify_all();
    state_->news.wait_for(lock, std::chrono::seconds(1),
                          [this] { return state_->lines.empty() && !state_->writing; });
}

void BackgroundLog::write(Level level, std::string_view text) {
    const std::lock_guard lock(state_->mutex);
    if (state_->lines.size() >= max_lines) {
        ++state_->dropped;
        return;
    }
    state_->lines.push_back({level, std::string(text)});
    state_->news.notify_all();
}

}  // namespace caribou
