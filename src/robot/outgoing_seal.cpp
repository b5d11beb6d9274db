#include "robot/outgoing_seal.hpp"

namespace caribou::robot {

using link::Direction;

void OutgoingSeal::set_session(const std::optional<link::SessionSecret>& session) {
    session_.reset();
    if (session) session_.emplace(session->mark, session->secret, Direction::to_station);
}

Result<Bytes> OutgoingSeal::seal(Bytes datagram) {
    if (!trust_) return datagram;
    if (session_) return session_->seal(datagram);
    const auto key = trust_->station_key();
    if (!key) return fail(key.error());
    const link::BootMark mark = trust_->mark(key->key);
    const auto found = boot_.try_emplace(mark.key, mark, key->key, Direction::to_station).first;
    return found->second.seal(datagram);
}

}  // namespace caribou::robot
