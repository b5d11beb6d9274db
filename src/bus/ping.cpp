#include "bus/ping.hpp"

namespace caribou::bus {

Ping::Ping(Loop& loop, Client& client, Options options)
    : loop_(loop), client_(client), options_(options), timer_(loop.make_timer([this] {
          if (under_way_)
              finish_round(std::nullopt);
          else
              send();
      })) {}

Ping::~Ping() { client_.on_mail(variable, {}); }

Result<void> Ping::start(std::move_only_function<void(PingRound)> on_round, Task on_end) {
    on_round_ = std::move(on_round);
    on_end_ = std::move(on_end);
    client_.on_mail(variable, [this](const wire::MessageView& message) { hear(message); });
    if (auto asked = client_.register_variable(variable); !asked) return asked;
    timer_->arm(loop_.clock().now());
    return {};
}

void Ping::send() {
    sent_ = loop_.clock().now();
    under_way_ = true;
    if (!client_.notify(variable, static_cast<double>(rounds_.size()))) return finish_round(std::nullopt);
    timer_->arm(sent_ + options_.limit);
}

void Ping::hear(const wire::MessageView& message) {
    const bool ours =
        message.source == client_.options().name && message.value == static_cast<double>(rounds_.size());
    if (under_way_ && ours) finish_round(loop_.clock().now() - sent_);
}

void Ping::finish_round(PingRound round) {
    under_way_ = false;
    rounds_.push_back(round);
    on_round_(round);
    if (rounds_.size() < options_.rounds) return timer_->arm(sent_ + options_.interval);
    timer_->cancel();
    on_end_();
}

}  // namespace caribou::bus
