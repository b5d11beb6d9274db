#include "apps_load.hpp"

#include <fmt/format.h>

#include "give_up.hpp"

namespace caribou::bench {

using namespace std::chrono_literals;

Load::Load(std::uint16_t port, std::size_t variables, double messages_per_second)
    : client_(loop_, network_, {.name = "load", .broker = Address::ip("127.0.0.1", port)}),
      rate_(messages_per_second),
      timer_(loop_.make_timer([this] { send_due(); })) {
    for (std::size_t i = 0; i < variables; ++i) names_.push_back(fmt::format("V{}", i));
    need(client_.start() && loop_.run_until([this] { return client_.connected(); }, 10s),
         "connect to the broker");
}

std::uint64_t Load::run(Seconds length) {
    sent_ = 0;
    began_ = loop_.clock().now();
    timer_->arm(began_);
    loop_.run_until([] { return false; }, std::chrono::duration_cast<Duration>(length));
    timer_->cancel();
    need(loop_.run_until([this] { return client_.pending() == 0; }, 10s), "send everything");
    return sent_;
}

void Load::send_due() {
    const Instant now = loop_.clock().now();
    const auto due = static_cast<std::uint64_t>(to_seconds(now - began_) * rate_);
    for (; sent_ < due; ++sent_)
        need(client_.notify(names_[sent_ % names_.size()], static_cast<double>(sent_)).has_value(),
             "keep up the load");
    timer_->arm(now + 10ms);
}

}  // namespace caribou::bench
