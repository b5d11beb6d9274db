#include "faults/steady_clients.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.hpp"
#include "platform/shared_inbox.hpp"

namespace caribou::tests {

using namespace std::chrono_literals;

SteadyClients::SteadyClients(const Address& broker)
    : network_(loop_, log_), timer_(loop_.make_timer([this] { on_tick(); })) {
    for (std::size_t i = 0; i < count; ++i) {
        Station& station = stations_[i];
        station.writes = fmt::format("STEADY_{}", i);
        station.client = std::make_unique<bus::Client>(
            loop_, network_, bus::ClientOptions{.name = fmt::format("steady_{}", i), .broker = broker});
        const std::string reads = fmt::format("STEADY_{}", (i + 1) % count);
        station.client->on_mail(
            reads, [this, &station](const wire::MessageView& message) { on_mail(station, message.value); });
        check(station.client->register_variable(reads) && station.client->start(), "a steady client starts");
    }
    const bool ready = loop_.run_until(
        [&] { return std::ranges::all_of(stations_, [](Station& s) { return s.client->connected(); }); },
        30s);
    check(ready, "ten clients find an undisturbed broker");
    next_tick_ = loop_.clock().now();
    timer_->arm(next_tick_);
    begin_here();
    thread_ = std::jthread([this] { loop_.run(); });  // tidy: allow thread: see the member
}

SteadyClients::~SteadyClients() { stop(); }

void SteadyClients::stop() {
    if (!thread_.joinable()) return;
    loop_.stop();
    thread_.join();
}

bool SteadyClients::never_lost() const {
    return std::ranges::all_of(stations_, [](const Station& s) {
        return s.client->connected() && s.client->stats().connections == 1;
    });
}

/// One client writes at each tick, so that their messages are spread out.
void SteadyClients::on_tick() {
    const Instant now = loop_.clock().now();
    quality_.worst_tick = std::max(quality_.worst_tick, now - next_tick_);
    Station& writer = stations_[turn_++ % count];
    static_cast<void>(writer.client->notify(writer.writes, to_seconds(now.time_since_epoch())));
    next_tick_ = std::max(next_tick_ + period / int{count}, now - period);
    timer_->arm(next_tick_);
}

void SteadyClients::on_mail(Station& reader, double sent) {
    const Instant now = loop_.clock().now();
    note_gap(reader, now);
    latencies_.push_back(now.time_since_epoch() - from_seconds(sent));
}

void SteadyClients::note_gap(Station& reader, Instant now) {
    quality_.worst_gap = std::max(quality_.worst_gap, now - reader.last_heard);
    reader.last_heard = now;
}

void SteadyClients::begin_here() {
    quality_ = {};
    latencies_.clear();
    for (Station& station : stations_) station.last_heard = loop_.clock().now();
}

Quality SteadyClients::quality_here() {
    for (Station& station : stations_) note_gap(station, loop_.clock().now());
    quality_.messages = latencies_.size();
    if (!latencies_.empty()) {
        const auto middle = latencies_.begin() + static_cast<std::ptrdiff_t>(latencies_.size() / 2);
        std::ranges::nth_element(latencies_, middle);
        quality_.p50 = *middle;
    }
    return quality_;
}

void SteadyClients::begin() {
    loop_.post_from_any_thread([this] { begin_here(); });
}

Quality SteadyClients::end(EventLoop& here) {
    SharedInbox<Quality> answer(here, 1, WhenFull::refuse, [] {});
    loop_.post_from_any_thread([&] { static_cast<void>(answer.push(quality_here())); });
    check(here.run_until([&] { return answer.size() > 0; }, 30s), "the steady clients' thread runs");
    return *answer.pop();
}

}  // namespace caribou::tests
