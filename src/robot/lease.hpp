#pragma once

#include <optional>
#include <string>

#include "link/answer.hpp"
#include "link/lease_takes.hpp"
#include "loop/time.hpp"
#include "robot/robot_request.hpp"

namespace caribou::robot {

/// The right to drive, held by one session at a time. The first one that drives gets it; a peer with the role
/// `drive` may take it from its holder, as often as link::LeaseTakes permits.
class Lease {
public:
    /// Checks that the peer holds it, or takes it if it is free. The objection names the holder.
    std::optional<link::Objection> use(const Peer& peer) {
        if (!holder_) holder_ = peer;
        return respect(peer);
    }
    /// Checks that no other peer holds it. Does not take it: for commands that do not drive, whose sender
    /// would not know that it has to be released.
    std::optional<link::Objection> respect(const Peer& peer) const {
        if (!holder_ || holder_->session == peer.session || holder_->session == peer.drives_by)
            return std::nullopt;
        return link::Objection{link::Refusal::no_lease, holder_->name + " drives; take_lease takes over"};
    }
    /// Same, but also takes it from another holder.
    std::optional<link::Objection> take(const Peer& peer, Instant now) {
        const bool is_others = holder_ && holder_->session != peer.session;
        if (!is_others || !link::may(peer.role, link::Role::drive)) return use(peer);
        if (!takes_.take(peer.key, std::to_string(peer.session), std::to_string(holder_->session), now))
            return link::Objection{
                link::Refusal::no_lease,
                holder_->name + " drives, and the lease was taken with your key less than 5 s ago"};
        holder_ = peer;
        return std::nullopt;
    }
    /// Returns whether the session held it.
    bool release(std::uint64_t session) {
        const bool had_it = holder_ && holder_->session == session;
        if (had_it) holder_.reset();
        return had_it;
    }
    const std::optional<Peer>& holder() const { return holder_; }

private:
    std::optional<Peer> holder_;
    link::LeaseTakes takes_;
};

}  // namespace caribou::robot
