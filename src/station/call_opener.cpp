#include "station/call_opener.hpp"

#include <utility>

namespace caribou::station {

Result<CallOpener::Opened> CallOpener::open(link::KeyId id, ByteView datagram) {
    auto key = keys_.find(id);
    if (!key) return fail(std::move(key.error()));
    const auto opener = openers_.try_emplace(id, key->key, link::Direction::to_station).first;
    auto content = opener->second.open(datagram);
    if (!content) return fail(std::move(content.error()));
    return Opened{std::move(*key), std::move(*content)};
}

}  // namespace caribou::station
