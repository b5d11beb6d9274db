#include "bus_lane.hpp"

#include <fmt/format.h>

namespace caribou::bench {
namespace {

std::string next_key() {
    static int lanes = 0;
    return fmt::format("BENCH_{:03}", ++lanes);
}

}  // namespace

Lane::Lane(const Target& target, std::size_t subscribers)
    : framing_(target.framing), key_(next_key()), publisher_name_(key_ + "_publisher") {
    for (std::size_t i = 0; i < subscribers; ++i) {
        RawClient& subscriber = clients_.emplace_back(target.port, framing_);
        if (!target.is_broker) continue;
        subscriber.join(fmt::format("{}_{}", key_, i));
        subscriber.subscribe(key_);
    }
    RawClient& publisher = clients_.emplace_back(target.port, framing_);
    if (target.is_broker) publisher.join(publisher_name_);
}

Bytes Lane::load(std::size_t messages, std::size_t per_packet) const {
    if (framing_ == Framing::plain) return plain_messages(messages);
    const Bytes packet = notify_packet(publisher_name_, key_, per_packet);
    Bytes all;
    for (std::size_t i = 0; i < messages / per_packet; ++i) append(all, packet);
    return all;
}

}  // namespace caribou::bench
