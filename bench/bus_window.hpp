#pragma once

#include <atomic>
#include <cstdint>

namespace caribou::bench {

/// Keeps a publisher at most this many messages ahead of its subscribers, because a broker thins out the
/// backlog of a slow reader, which would make the count meaningless.
class Window {
public:
    explicit Window(std::uint64_t most_ahead) : most_ahead_(most_ahead) {}

    /// Publisher: waits for room for `count` messages and takes it. Returns false if it must stop.
    bool enter(std::uint64_t count) {
        sent_ += count;
        for (;;) {
            const std::uint64_t arrived = arrived_.load();
            if (arrived == stopped) return false;
            if (sent_ <= arrived + most_ahead_) return true;
            arrived_.wait(arrived);
        }
    }
    /// Reader: sets the total number of messages that have arrived.
    void arrived(std::uint64_t total) {
        arrived_.store(total);
        arrived_.notify_one();
    }
    /// Makes enter() return false, now and later.
    void stop() { arrived(stopped); }

private:
    static constexpr std::uint64_t stopped = UINT64_MAX;

    const std::uint64_t most_ahead_;
    std::uint64_t sent_ = 0;
    std::atomic<std::uint64_t> arrived_ = 0;
};

}  // namespace caribou::bench
