#pragma once

#include <atomic>
#include <cstdint>

namespace caribou::bench {

/// Keeps a publisher at most this many messages ahead of its subscribers, because a broker thins out the
/// backlog of a slow reader, which would make the count meaningless. A publisher that has to wait is resumed
/// when half of the window is free, so that it is not awakened for each message.
class Window {
public:
    explicit Window(std::uint64_t most_ahead) : most_ahead_(most_ahead) {}

    /// Publisher: waits for room for `count` messages and takes it. Returns false if it must stop.
    bool enter(std::uint64_t count) {
        sent_ += count;
        std::uint64_t arrived = arrived_.load();
        if (sent_ > arrived + most_ahead_) {
            const std::uint64_t enough = sent_ - most_ahead_ / 2;
            resumed_at_.store(enough);
            for (arrived = arrived_.load(); arrived < enough; arrived = arrived_.load())
                arrived_.wait(arrived);
            resumed_at_.store(stopped);
        }
        return arrived != stopped;
    }
    /// Reader: sets the total number of messages that have arrived.
    void arrived(std::uint64_t total) {
        arrived_.store(total);
        if (total >= resumed_at_.load()) arrived_.notify_one();
    }
    /// Makes enter() return false, now and later.
    void stop() {
        arrived_.store(stopped);
        arrived_.notify_one();
    }

private:
    static constexpr std::uint64_t stopped = UINT64_MAX;

    const std::uint64_t most_ahead_;
    std::uint64_t sent_ = 0;
    std::atomic<std::uint64_t> arrived_ = 0;
    std::atomic<std::uint64_t> resumed_at_ = stopped;  ///< number of arrivals that the publisher waits for
};

}  // namespace caribou::bench
