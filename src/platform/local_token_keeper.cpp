#include "platform/local_token_keeper.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou {

LocalTokenKeeper::LocalTokenKeeper(Loop& loop, Place place,
                                   std::function<void(const std::string& token)> on_token, Log& log)
    : loop_(loop),
      place_(std::move(place)),
      on_token_(std::move(on_token)),
      log_(log),
      timer_(loop.make_timer([this] { try_once(); })) {
    try_once();
}

void LocalTokenKeeper::try_once() {
    auto opened = LocalToken::open(place_.folder, place_.port, place_.lifetime);
    if (!opened) {
        if (opened.error().message != trouble_)
            log_.warning(
                fmt::format("programs of this machine may only observe and stop: {}; trying again "
                            "every {} s",
                            opened.error().message, to_seconds(period)));
        trouble_ = opened.error().message;
        return timer_->arm(loop_.clock().now() + period);
    }
    token_ = std::move(*opened);
    if (!trouble_.empty()) log_.info("the token is stored now: programs of this user may command robots");
    on_token_(token_->text());
}

}  // namespace caribou
