#pragma once

#include <functional>
#include <memory>

#include "bus/board.hpp"
#include "bus/client.hpp"
#include "loop/loop.hpp"

namespace caribou::bus {

/// Keeps a board up to date: asks the broker every so often for what has changed. A broker that does not
/// answer that is asked for everything instead. Goes on after a lost connection.
class BoardFeed {
public:
    /// `on_answer` is called after each answer, with the board up to date; false: everything that was
    /// known is forgotten, and the rows are gone.
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
