#pragma once

#include <map>
#include <optional>
#include <string>

#include "link/answer.hpp"
#include "loop/time.hpp"
#include "robot/robot_request.hpp"

namespace caribou::robot {

/// The right to drive, which one session holds at a time. The first that drives gets it; a person with the
/// role `drive` may take it from its holder, at most once per `pause`.
class Lease {
public:
    static constexpr Duration pause = std::chrono::seconds(5);

    /// Makes sure that the peer holds it. The objection names the holder.
    std::optional<link::Objection> use(const Peer& peer) {
        if (!holder_) holder_ = peer;
        if (holder_->session == peer.session) return std::nullopt;
        return link::Objection{link::Refusal::no_lease, holder_->name + " drives; take_lease takes over"};
    }
    /// The same, and takes it from another holder. Keys are told apart by the peers' names.
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
    std::map<std::string, Instant> taken_;  ///< when each last took it from another
};

}  // namespace caribou::robot
