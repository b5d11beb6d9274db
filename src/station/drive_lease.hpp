#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "link/answer.hpp"
#include "link/role.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// The sender of a request.
struct Asker {
    std::string name{};  ///< unique among the connected ones
    link::Role role = link::Role::observe;
};

/// The right to drive, held by one person at a time. The first one who drives gets it, and loses it by
/// releasing it or by being idle for the limit. A person with the role `drive` may take it from another, at
/// most once per `pause`.
class DriveLease {
public:
    static constexpr Duration pause = std::chrono::seconds(5);

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
    std::map<std::string, Instant> taken_{};  ///< when each last took it from another person
};

}  // namespace caribou::station
