#pragma once

#include <atomic>
#include <cstdint>

namespace caribou::bench {

/// Keeps a publisher at most so many messages ahead of its subscribers: a broker thins out the
/// backlog of a reader that falls behind, and then the count would be a lie.
class Window {
public:
    explicit Window(std::uint64_t most_ahead) : most_ahead_(most_ahead) {}

    /// The publisher: takes room for `count` messages, and waits for it. False: it is to stop.
    bool enter(std::uint64_t count) {
        sent_ += count;
        for (;;) {
            const std::uint64_t arrived = arrived_.load();
            if (arrived == stopped) return false;
            if (sent_ <= arrived + most_ahead_) return true;
            arrived_.wait(arrived);
        }
    }
    /// The reader: so many have come in all.
    void arrived(std::uint64_t total) {
        arrived_.store(total);
        arrived_.notify_one();
    }
    void stop() { arrived(stopped); }

private:
    static constexpr std::uint64_t stopped = UINT64_MAX;

    const std::uint64_t most_ahead_;
    std::uint64_t sent_ = 0;
    std::atomic<std::uint64_t> arrived_ = 0;
};

}  // namespace caribou::bench
