#pragma once

#include <map>
#include <optional>
#include <string>

#include "link/answer.hpp"
#include "loop/time.hpp"
#include "robot/robot_request.hpp"

namespace caribou::robot {

/// The right to drive, held by one session at a time. The first one that drives gets it; a peer with the role
/// `drive` may take it from its holder, at most once per `pause`.
class Lease {
public:
    static constexpr Duration pause = std::chrono::seconds(5);

    /// Checks that the peer holds it, or takes it if it is free. The objection names the holder.
    std::optional<link::Objection> use(const Peer& peer) {
        if (!holder_) holder_ = peer;
        if (holder_->session == peer.session) return std::nullopt;
        return link::Objection{link::Refusal::no_lease, holder_->name + " drives; take_lease takes over"};
    }
    /// Same, but also takes it from another holder. Peers are distinguished by name.
    std::optional<link::Objection> take(const Peer& peer, Instant now) {
        const bool is_others = holder_ && holder_->session != peer.session;
        if (!is_others || !peer.takes_over || !link::may(peer.role, link::Role::drive)) return use(peer);
        std::erase_if(taken_, [&](const auto& entry) { return now - entry.second >= pause; });
        if (!taken_.emplace(peer.name, now).second)
            return link::Objection{link::Refusal::no_lease,
                                   holder_->name + " drives, and you took the lease less than 5 s ago"};
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
    std::map<std::string, Instant> taken_;  ///< when each last took it from another peer
};

}  // namespace caribou::robot
