#include "adapters/recording/recording_thread.hpp"

#include <future>

namespace caribou {

Result<std::unique_ptr<RecordingThread>> RecordingThread::open(
    const std::string& folder, const station::RecordingWriterSettings& settings, Log& log) {
    auto disk = FileDisk::open(folder);
    if (!disk) return fail(std::move(disk.error()));
    std::unique_ptr<RecordingThread> made(new RecordingThread(std::move(*disk), settings, log));
    if (auto started = made->thread_.start(); !started) return fail(std::move(started.error()));
    return made;
}

RecordingThread::RecordingThread(std::unique_ptr<FileDisk> disk,
                                 const station::RecordingWriterSettings& settings, Log& log)
    : disk_(std::move(disk)),
      log_(log),
      writer_(*disk_, settings, log),
      thread_({.name = "recording"}, log) {}

RecordingThread::~RecordingThread() {
    if (!thread_.running()) return;
    std::promise<void> written;
    thread_.loop().post_from_any_thread([&] { written.set_value(); });
    written.get_future().wait();
}

void RecordingThread::write(station::RecordingBatch batch) {
    const std::size_t size = batch.size();
    if (waiting_ + size > max_waiting) {
        if (lost_++ == 0) log_.warning("the disk cannot follow: recordings are lost");
        return;
    }
    waiting_ += size;
    thread_.loop().post_from_any_thread([this, size, kept = std::move(batch)]() mutable {
        writer_.write(std::move(kept));
        lost_by_disk_ = writer_.lost();
        written_ = writer_.written();
        waiting_ -= size;
    });
}

void RecordingThread::forget(const std::string& name) {
    thread_.loop().post_from_any_thread([this, name] { writer_.forget(name); });
}

}  // namespace caribou
