#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "link/answer.hpp"
#include "link/lease_takes.hpp"
#include "link/role.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// The sender of a request.
struct Asker {
    std::string name{};  ///< unique among the connected ones
    link::Role role = link::Role::observe;
    std::string key{};  ///< identifies what was proven; a client can choose its name, but not this
};

/// The right to drive, held by one person at a time. The first one who drives gets it, and loses it by
/// releasing it or by being idle for the limit. A person with the role `drive` may take it from another, as
/// often as link::LeaseTakes permits. That other one does not get it back by continuing to drive, also if it
/// is free again, within `pause`: only by taking it.
class DriveLease {
public:
    static constexpr Duration pause = link::LeaseTakes::pause;

    explicit DriveLease(Duration limit) : limit_(limit) {}

    /// Takes the lease. Returns the objection, or nullopt if the asker holds it for the limit from now on.
    std::optional<link::Objection> take(const Asker& asker, Instant now);
    /// Same, for a person who continues to drive: never takes the lease from another.
    std::optional<link::Objection> use(const Asker& asker, Instant now);
    /// Returns whether `holder` held it.
    bool release(std::string_view holder);
    /// Returns whether it has just expired.
    bool expire(Instant now);

    /// Returns the holder; empty if there is none.
    const std::string& holder() const { return holder_; }

private:
    Duration limit_;
    std::string holder_{};
    Instant until_{};
    std::string taken_from_{};
    Instant given_back_from_{};  ///< when that one may use it again without taking it
    link::LeaseTakes takes_{};
};

}  // namespace caribou::station
