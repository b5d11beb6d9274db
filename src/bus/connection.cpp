#include "bus/connection.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou::bus {

Traffic& Traffic::operator+=(const Traffic& more) {
    bytes_in += more.bytes_in;
    bytes_out += more.bytes_out;
    messages_in += more.messages_in;
    messages_out += more.messages_out;
    packets_in += more.packets_in;
    packets_out += more.packets_out;
    collapsed += more.collapsed;
    dropped += more.dropped;
    refused += more.refused;
    return *this;
}

void Latency::add(double milliseconds) {
    average = min > max ? milliseconds : 0.9 * average + 0.1 * milliseconds;
    recent = milliseconds;
    max = std::max(max, milliseconds);
    min = std::min(min, milliseconds);
}

Connection::~Connection() {
    pool_.connections -= 1;
    pool_.backlog -= outbox.backlog();
    pool_.buffers.give(std::move(partial));
    if (ready_) std::erase(pool_.ready, this);
}

void Connection::mark_ready() {
    if (ready_) return;
    ready_ = true;
    pool_.ready.push_back(this);
}

/// Modifies the outbox and updates the total backlog of the pool.
template <class Change>
void Connection::change_outbox(Change change) {
    const std::size_t before = outbox.backlog();
    change();
    pool_.backlog += outbox.backlog() - before;
}

void Connection::deliver(const MessageRun& run) {
    change_outbox([&] { outbox.add(run); });
    on_added(run.count);
}

void Connection::tell(const wire::MessageView& message) {
    change_outbox([&] { outbox.add(message); });
    on_added(1);
}

void Connection::tell_first(const wire::MessageView& message) {
    outbox.set_front(message);
    mark_ready();
}

void Connection::tell_timing(const TimingEcho& echo) {
    if (!outbox.has_front())
        put_echo(echo);
    else if (echoes_.size() < pool_.limits.max_replies_owed)
        echoes_.push_back(echo);
    else
        echoes_.back() = echo;
}

void Connection::put_echo(const TimingEcho& echo) {
    tell_first({.type = wire::MessageType::timing,
                .key = wire::timing_key,
                .time = echo.client_time,
                .value = echo.stamp,
                .value2 = echo.pause});
}

void Connection::on_added(std::size_t messages) {
    traffic.messages_out += messages;
    mark_ready();
    if (outbox.waiting_size() > std::max(thin_out_at_, pool_.limits.backlog_collapse) ||
        pool_.backlog > pool_.limits.backlog_total) [[unlikely]]
        thin_out();
}

void Connection::thin_out() {
    const BrokerLimits& limits = pool_.limits;
    const bool crowded = pool_.backlog > limits.backlog_total;
    const std::size_t share = limits.backlog_total / pool_.connections;
    const std::size_t most = crowded ? std::min(limits.backlog_max, share) : limits.backlog_max;
    if (outbox.waiting_size() <= std::min(most, limits.backlog_collapse)) return;
    change_outbox([&] {
        traffic.collapsed += outbox.collapse();
        if (outbox.waiting_size() > most) traffic.dropped += outbox.drop_oldest(most / 2);
    });
    thinned_ = true;
    // Thinning takes time linear in the backlog, so it is repeated only after the backlog has doubled.
    thin_out_at_ = std::min(most, 2 * outbox.waiting_size());
}

void Connection::seal() {
    change_outbox([&] { outbox.seal(); });
    traffic.packets_out += 1;
    if (echoes_.empty()) return;
    put_echo(echoes_.front());
    echoes_.erase(echoes_.begin());
}

void Connection::on_sent(std::size_t size, Instant now) {
    change_outbox([&] { outbox.sent(size); });
    traffic.bytes_out += size;
    last_progress = now;
    thinned_ = false;
    if (outbox.empty()) thin_out_at_ = 0;
}

void Connection::drop_waiting() {
    change_outbox([&] { outbox.drop_waiting(); });
}

std::string Connection::stall(Instant now) const {
    if (!thinned_ || now - last_progress < pool_.limits.stall_limit) return {};
    return fmt::format(
        "it has not read for {:.0f} s, with {} bytes waiting (limits backlog_collapse, stall_limit)",
        to_seconds(now - last_progress), outbox.backlog());
}

}  // namespace caribou::bus
