#include "platform/background_log.hpp"

#include <signal.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace caribou {

struct BackgroundLog::State {
    struct Line {
        std::chrono::system_clock::time_point at;
        Level level;
        std::string text;
    };

    std::unique_ptr<StampedLog> log;
    std::mutex mutex;
    std::condition_variable news;
    std::deque<Line> lines;   // guarded by mutex
    std::size_t dropped = 0;  // guarded by mutex; after the last of `lines`
    bool writing = false;     // guarded by mutex
    bool ends = false;        // guarded by mutex

    void add_line(Level level, std::string text) {
        lines.push_back({std::chrono::system_clock::now(), level, std::move(text)});
    }
    /// Reports the lines that were dropped since the last one that was not.
    void add_dropped() {
        if (dropped == 0) return;
        add_line(Level::warning, fmt::format("{} lines of the log were dropped", std::exchange(dropped, 0)));
    }
    Line take() {
        if (lines.empty()) add_dropped();
        Line line = std::move(lines.front());
        lines.pop_front();
        return line;
    }
    bool is_done() const { return lines.empty() && dropped == 0; }
    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            writing = false;
            news.notify_all();
            news.wait(lock, [this] { return ends || !is_done(); });
            if (is_done()) return;
            const Line line = take();
            writing = true;
            lock.unlock();
            log->write_at(line.at, line.level, line.text);
            lock.lock();
        }
    }
};

BackgroundLog::BackgroundLog(std::unique_ptr<StampedLog> log) : state_(std::make_shared<State>()) {
    state_->log = std::move(log);
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread writer([state = state_] { state->run(); });
    ::pthread_setname_np(writer.native_handle(), "log");
    writer.detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

BackgroundLog::~BackgroundLog() {
    flush();
    const std::lock_guard lock(state_->mutex);
    state_->ends = true;
    state_->news.notify_all();
}

void BackgroundLog::flush() {
    std::unique_lock lock(state_->mutex);
    state_->news.wait_for(lock, std::chrono::seconds(1),
                          [this] { return state_->is_done() && !state_->writing; });
}

void BackgroundLog::write(Level level, std::string_view text) {
    const std::lock_guard lock(state_->mutex);
    if (state_->lines.size() >= max_lines) {
        ++state_->dropped;
        return;
    }
    state_->add_dropped();
    state_->add_line(level, std::string(text));
    state_->news.notify_all();
}

}  // namespace caribou
