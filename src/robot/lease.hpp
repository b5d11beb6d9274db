#pragma once

#include <optional>
#include <string>

#include "link/answer.hpp"
#include "robot/robot_request.hpp"

namespace caribou::robot {

/// Who drives: one at a time. Taken by the first that drives, or explicitly; an administrator takes it from
/// its holder.
class Lease {
public:
    /// Makes sure that the peer holds it. The objection names the holder.
    std::optional<link::Objection> use(const Peer& peer) {
        if (!holder_) holder_ = peer;
        if (holder_->session == peer.session) return std::nullopt;
        return link::Objection{link::Refusal::no_lease,
                               holder_->name + " drives; it has to release the lease, or an admin takes it"};
    }
    std::optional<link::Objection> take(const Peer& peer) {
        if (link::may(peer.role, link::Role::admin)) holder_ = peer;
        return use(peer);
    }
    /// Whether it had it.
    bool release(std::uint64_t session) {
        const bool had_it = holder_ && holder_->session == session;
        if (had_it) holder_.reset();
        return had_it;
    }
    const std::optional<Peer>& holder() const { return holder_; }

private:
    std::optional<Peer> holder_;
};

}  // namespace caribou::robot
