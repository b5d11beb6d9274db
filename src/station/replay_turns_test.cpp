#include "station/replay_turns.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// Appends its number, and requests further turns.
class Pieces final : public ReplayWork {
public:
    Pieces(ReplayTurns& turns, std::vector<int>& done, int number, int left)
        : turns_(turns), done_(done), number_(number), left_(left) {}
    void do_piece() override {
        done_.push_back(number_);
        if (--left_ > 0) turns_.request(*this);
    }

private:
    ReplayTurns& turns_;
    std::vector<int>& done_;
    int number_;
    int left_;
};

TEST(ReplayTurns, DoesOnePiecePerTurnInOrderOfTheRequests) {
    VirtualLoop loop;
    ReplayTurns turns(loop);
    std::vector<int> done;
    Pieces one(turns, done, 1, 3);
    Pieces two(turns, done, 2, 2);
    turns.request(one);
    turns.request(two);
    turns.request(one);
    EXPECT_THAT(done, ElementsAre()) << "never inside the call";
    // Other work of the loop has its turn after each piece.
    std::vector<std::size_t> done_by_turn;
    Task other = [&] {
        done_by_turn.push_back(done.size());
        if (done_by_turn.size() < 6) loop.post([&] { other(); });
    };
    loop.post([&] { other(); });
    loop.run_ready();
    EXPECT_THAT(done, ElementsAre(1, 2, 1, 2, 1));
    EXPECT_THAT(done_by_turn, ElementsAre(1, 2, 3, 4, 5, 5));
}

TEST(ReplayTurns, ForgetsCanceledWork) {
    VirtualLoop loop;
    ReplayTurns turns(loop);
    std::vector<int> done;
    Pieces one(turns, done, 1, 1);
    Pieces two(turns, done, 2, 1);
    turns.request(one);
    turns.request(two);
    turns.cancel(one);
    loop.run_ready();
    EXPECT_THAT(done, ElementsAre(2));
}

/// A loop whose clock moves during tasks, with one timer.
class BusyLoop final : public Loop, Clock {
public:
    const Clock& clock() const override { return *this; }
    void post(Task) override {}
    std::unique_ptr<Timer> make_timer(Task on_due) override {
        task_ = std::move(on_due);
        return std::make_unique<OneTimer>(*this);
    }
    /// Runs the timer, at the time for which it was armed.
    void run_timer() {
        now_ = std::max(now_, due_.value());
        due_.reset();
        task_();
    }
    Instant now() const override { return now_; }
    WallTime wall() const override { return {}; }
    /// Moves the clock, as a task that takes that long.
    void pass(Duration time) { now_ += time; }

private:
    class OneTimer final : public Timer {
    public:
        explicit OneTimer(BusyLoop& loop) : loop_(loop) {}
        void arm(Instant due) override { loop_.due_ = due; }
        void cancel() override { loop_.due_.reset(); }

    private:
        BusyLoop& loop_;
    };

    Instant now_{};
    std::optional<Instant> due_;
    Task task_;
};

class SlowWork final : public ReplayWork {
public:
    SlowWork(BusyLoop& loop, ReplayTurns& turns) : loop_(loop), turns_(turns) {}
    void do_piece() override {
        begun.push_back(loop_.now().time_since_epoch());
        loop_.pass(10ms);
        turns_.request(*this);
    }
    std::vector<Duration> begun;

private:
    BusyLoop& loop_;
    ReplayTurns& turns_;
};

TEST(ReplayTurns, LeavesThreeQuartersOfTheTimeToOtherWork) {
    BusyLoop loop;
    ReplayTurns turns(loop);
    SlowWork work(loop, turns);
    turns.request(work);
    for (int i = 0; i < 3; ++i) loop.run_timer();
    EXPECT_THAT(work.begun, ElementsAre(0ms, 40ms, 80ms));
}

}  // namespace
}  // namespace caribou::station
