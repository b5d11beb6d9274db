#include "station/drive_lease.hpp"

#include <fmt/format.h>

namespace caribou::station {

std::optional<link::Objection> DriveLease::take(const Asker& asker, Instant now) {
    if (asker.role == link::Role::admin) release(holder_);
    return use(asker, now);
}

std::optional<link::Objection> DriveLease::use(const Asker& asker, Instant now) {
    if (!holder_.empty() && holder_ != asker.name)
        return link::Objection{link::Refusal::no_lease,
                               fmt::format("{} drives; an admin can take over with take_lease", holder_)};
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
