#include "sim/wiretap.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace caribou::sim {

std::vector<Bytes> DatagramWiretap::on_sent(const Address&, ByteView packet) {
    audit_.sent(robot_, packet);
    if (kept_.size() == most) kept_.pop_front();
    kept_.emplace_back(packet.begin(), packet.end());
    std::vector<Bytes> again;
    for (std::size_t left = std::exchange(replays_, 0); left > 0; --left) {
        Bytes& copy = again.emplace_back(kept_[random_.below(kept_.size())]);
        if (alters_ && random_.chance(0.5)) copy[random_.below(copy.size())] ^= std::byte{1};
    }
    return again;
}

Bytes StreamWiretap::any(Random& random) const {
    if (said_.empty()) return {};
    return std::next(said_.begin(), static_cast<std::ptrdiff_t>(random.below(said_.size())))->second;
}

void StreamWiretap::on_written(StreamNumber stream, ByteView bytes) {
    if (said_.size() == most_streams && !said_.contains(stream)) said_.erase(said_.begin());
    Bytes& said = said_[stream];
    append(said, bytes.first(std::min(bytes.size(), most_bytes - said.size())));
}

}  // namespace caribou::sim
