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
    : key_(next_key()), publisher_name_(key_ + "_publisher") {
    for (std::size_t i = 0; i < subscribers; ++i) {
        RawClient& subscriber = clients_.emplace_back(target.port);
        if (!target.is_broker) continue;
        subscriber.join(fmt::format("{}_{}", key_, i));
        subscriber.subscribe(key_);
    }
    RawClient& publisher = clients_.emplace_back(target.port);
    if (target.is_broker) publisher.join(publisher_name_);
}

}  // namespace caribou::bench
