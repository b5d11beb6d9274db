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

/// Writes a journal on its own thread, so that the loop never waits for the disk.
class JournalThread final : public bus::JournalWriter {
public:
    /// `files` must be open and must not be used by others from now on. Throws std::system_error if the
    /// thread cannot be created.
    JournalThread(EventLoop& loop, bus::JournalFiles& files, Log& log);
    /// Completes pending steps; errors are logged.
    ~JournalThread() override;

    void perform(bus::JournalStep step, Done done) override;

private:
    void run();

    EventLoop& loop_;
    bus::JournalFiles& files_;
    Log& log_;
    std::mutex mutex_;  ///< guards the next three members
    std::condition_variable news_;
    std::deque<std::pair<bus::JournalStep, Done>> steps_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace caribou
