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

Result<CallOpener::Opened> CallOpener::open_earlier(link::KeyId id, ByteView datagram, Instant now) {
    auto key = keys_.find(id);
    const auto opener = openers_.find(id);
    if (!key || opener == openers_.end()) return fail(Code::not_found, "nothing was heard under this key");
    auto content = opener->second.open_earlier(datagram);
    if (!content) return fail(std::move(content.error()));
    Earlier& earlier = earlier_[id];
    if (now < earlier.next) return fail(Code::limit_exceeded, "such a call was followed not long ago");
    earlier = {now + earlier_period, link::read_sealed_header(datagram).value()};
    return Opened{std::move(*key), std::move(*content)};
}

void CallOpener::accept_earlier(link::KeyId id) {
    const auto earlier = earlier_.find(id);
    const auto opener = openers_.find(id);
    if (earlier == earlier_.end() || opener == openers_.end()) return;
    opener->second.accept_earlier(earlier->second.header);
    earlier_.erase(earlier);
}

}  // namespace caribou::station
