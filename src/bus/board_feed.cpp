#include "bus/board_feed.hpp"

namespace caribou::bus {

using namespace std::chrono_literals;

BoardFeed::BoardFeed(Loop& loop, Client& client, Board& board, Duration every,
                     std::move_only_function<void(bool)> on_answer)
    : loop_(loop),
      client_(client),
      board_(board),
      every_(every),
      on_answer_(std::move(on_answer)),
      timer_(loop.make_timer([this] { ask(); })) {}

void BoardFeed::ask() {
    const auto asked = client_.server_request(
        board_.request(), [this](Result<std::vector<wire::Message>> answer) { hear(std::move(answer)); },
        answered_ ? 5s : 1s);
    if (!asked) timer_->arm(loop_.clock().now() + every_);
}

void BoardFeed::hear(Result<std::vector<wire::Message>> answer) {
    if (!answer) {
        const bool unknown = answer.error().code == Code::timed_out && !answered_;
        if (unknown) board_.ask_for_all();
        timer_->arm(loop_.clock().now() + (unknown ? Duration::zero() : every_));
        return;
    }
    answered_ = true;
    const bool same_broker = board_.take(*answer, loop_.clock().now());
    timer_->arm(loop_.clock().now() + (same_broker ? every_ : Duration::zero()));
    on_answer_(same_broker);
}

}  // namespace caribou::bus
