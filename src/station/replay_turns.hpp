#pragma once

#include <deque>
#include <memory>

#include "loop/loop.hpp"

namespace caribou::station {

/// Work of a replay, done in pieces of a few milliseconds.
class ReplayWork {
public:
    /// Does one piece. Requests a further turn if there is more to do.
    virtual void do_piece() = 0;

protected:
    ~ReplayWork() = default;
};

/// Shares the time of the loop among all replays of a station, so that they do not delay links and commands:
/// one piece per turn of the loop, in order of the requests, and after each a rest of `rest_factor` times its
/// duration.
class ReplayTurns {
public:
    /// The loop must outlive this object.
    explicit ReplayTurns(Loop& loop);

    /// Requests one piece of the work, never inside this call. Has no effect if it is already waiting.
    void request(ReplayWork& work);
    /// Must be called before work that may be waiting is destroyed.
    void cancel(const ReplayWork& work);

    static constexpr int rest_factor = 3;  ///< replays take at most a quarter of the time

private:
    void run();

    Loop& loop_;
    std::deque<ReplayWork*> waiting_;
    Instant rests_until_{};
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::station
