#pragma once

#include <functional>
#include <memory>

#include "bus/board.hpp"
#include "bus/client.hpp"
#include "loop/loop.hpp"

namespace caribou::bus {

/// Keeps a Board up to date by polling the broker for changed variables, or for all variables if the broker
/// does not answer ALL_SINCE. Resumes after a reconnect.
class BoardFeed {
public:
    /// `on_answer` is called after each answer, when the board is up to date. Its argument is false if all
    /// previous rows were discarded, so that pointers to them are invalid.
    BoardFeed(Loop& loop, Client& client, Board& board, Duration every,
              std::move_only_function<void(bool)> on_answer);
    void start() { timer_->arm(loop_.clock().now()); }

private:
    void ask();
    void hear(Result<std::vector<wire::Message>> answer);

    Loop& loop_;
    Client& client_;
    Board& board_;
    Duration every_;
    std::move_only_function<void(bool)> on_answer_;
    bool answered_ = false;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::bus
