#include "station/drive_lease.hpp"

#include <fmt/format.h>

namespace caribou::station {

std::optional<link::Objection> DriveLease::take(const Asker& asker, Instant now) {
    if (taken_from_ == asker.name) taken_from_.clear();
    if (holder_.empty() || holder_ == asker.name || !link::may(asker.role, link::Role::drive))
        return use(asker, now);
    if (!takes_.take(asker.key, asker.name, holder_, now))
        return link::Objection{
            link::Refusal::no_lease,
            fmt::format("{} drives, and the lease was taken with your key less than 5 s ago", holder_)};
    taken_from_ = holder_;
    given_back_from_ = now + pause;
    release(holder_);
    return use(asker, now);
}

std::optional<link::Objection> DriveLease::use(const Asker& asker, Instant now) {
    if (!holder_.empty() && holder_ != asker.name)
        return link::Objection{link::Refusal::no_lease,
                               fmt::format("{} drives; take_lease takes over", holder_)};
    if (taken_from_ == asker.name && now < given_back_from_)
        return link::Objection{link::Refusal::no_lease,
                               "another person has taken the lease; take_lease takes it back"};
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
