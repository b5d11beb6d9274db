#include "platform/recording_thread.hpp"

#include <future>

namespace caribou {

Result<std::unique_ptr<RecordingThread>> RecordingThread::open(const std::string& folder, std::uint64_t limit,
                                                               Log& log) {
    auto disk = FileDisk::open(folder);
    if (!disk) return fail(std::move(disk.error()));
    std::unique_ptr<RecordingThread> made(new RecordingThread(std::move(*disk), limit, log));
    if (auto started = made->thread_.start(); !started) return fail(std::move(started.error()));
    return made;
}

RecordingThread::RecordingThread(std::unique_ptr<FileDisk> disk, std::uint64_t limit, Log& log)
    : disk_(std::move(disk)), log_(log), folder_(*disk_, limit, log), thread_({.name = "recording"}, log) {}

RecordingThread::~RecordingThread() {
    if (!thread_.running()) return;
    std::promise<void> written;
    thread_.loop().post_from_any_thread([&] { written.set_value(); });
    written.get_future().wait();
}

void RecordingThread::write(station::RecordingPart part) {
    const std::size_t size = part.bytes.size();
    if (waiting_ + size > max_waiting) {
        if (lost_++ == 0) log_.warning("the disk cannot follow: recordings are lost");
        return;
    }
    waiting_ += size;
    thread_.loop().post_from_any_thread([this, size, kept = std::move(part)]() mutable {
        folder_.write(std::move(kept));
        lost_by_disk_ = folder_.lost();
        waiting_ -= size;
    });
}

}  // namespace caribou
