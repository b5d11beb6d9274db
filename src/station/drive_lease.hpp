#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "link/answer.hpp"
#include "link/role.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// Who asks for something.
struct Asker {
    std::string name{};  ///< unique among those who are there
    link::Role role = link::Role::observe;
};

/// One driver at a time. Whoever drives a robot that nobody drives has the lease, and loses it by letting
/// go of it, or by doing nothing for a while. An admin takes it from anybody.
class DriveLease {
public:
    explicit DriveLease(Duration limit) : limit_(limit) {}

    /// Why not. None: it is theirs, from now on for the limit.
    std::optional<link::Objection> take(const Asker& asker, Instant now);
    /// The same for somebody who only wants to drive on: nothing is taken from anybody.
    std::optional<link::Objection> use(const Asker& asker, Instant now);
    /// Whether they had it.
    bool release(std::string_view holder);
    /// Whether it has just run out.
    bool expire(Instant now);

    /// Empty: nobody drives.
    const std::string& holder() const { return holder_; }

private:
    Duration limit_;
    std::string holder_{};
    Instant until_{};
};

}  // namespace caribou::station
