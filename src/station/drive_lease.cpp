#include "station/drive_lease.hpp"

#include <fmt/format.h>

namespace caribou::station {

std::optional<link::Objection> DriveLease::take(const Asker& asker, Instant now) {
    if (holder_.empty() || holder_ == asker.name || !link::may(asker.role, link::Role::drive))
        return use(asker, now);
    std::erase_if(taken_, [&](const auto& entry) { return now - entry.second >= pause; });
    // A person who reconnects keeps the identity: `ann#7` is ann.
    if (!taken_.emplace(asker.name.substr(0, asker.name.find('#')), now).second)
        return link::Objection{link::Refusal::no_lease,
                               fmt::format("{} drives, and you took the lease less than 5 s ago", holder_)};
    release(holder_);
    return use(asker, now);
}

std::optional<link::Objection> DriveLease::use(const Asker& asker, Instant now) {
    if (!holder_.empty() && holder_ != asker.name)
        return link::Objection{link::Refusal::no_lease,
                               fmt::format("{} drives; take_lease takes over", holder_)};
    holder_ = asker.name;
    until_ = now + limit_;
    return std::nullopt;
}

bool DriveLease::release(std::string_view holder) {
    if (holder_.empty() || holder_ != holder) return false;
    holder_.clear();
    return true;
}

bool DriveLease::expire(Instant now) { return !holder_.empty() && now >= until_ && release(holder_); }

}  // namespace caribou::station
