#pragma once

#include <map>
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

/// The right to drive, which one person holds at a time. The first who drives gets it, and loses it by
/// releasing it or by doing nothing for a while. A person with the role `drive` may take it, at most once per
/// `pause`.
class DriveLease {
public:
    static constexpr Duration pause = std::chrono::seconds(5);

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
    std::map<std::string, Instant> taken_{};  ///< when each last took it from another
};

}  // namespace caribou::station
