#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "base/log.hpp"
#include "bus/journal_files.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Does a journal's writing on a thread of its own, so that the loop never waits for the disk.
class JournalThread final : public bus::JournalWriter {
public:
    /// `files` are open, and left alone by everybody else from now on. Throws std::system_error if
    /// the machine gives no thread.
    JournalThread(EventLoop& loop, bus::JournalFiles& files, Log& log);
    /// Performs what is left first; what fails then is told to the log.
    ~JournalThread() override;

    void perform(bus::JournalStep step, Done done) override;

private:
    void run();

    EventLoop& loop_;
    bus::JournalFiles& files_;
    Log& log_;
    std::mutex mutex_;  ///< guards the three below
    std::condition_variable news_;
    std::deque<std::pair<bus::JournalStep, Done>> steps_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace caribou
