#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "loop/time.hpp"

namespace caribou::link {

/// Limits how often the lease is taken from its holder: at most once per `pause` with each key, whatever
/// names its bearer uses. If it was taken by a client with the same key, its former holder may take it back
/// once before.
class LeaseTakes {
public:
    static constexpr Duration pause = std::chrono::seconds(5);

    /// `key` is what the client has proven, `client` and `holder` identify connections. Returns whether the
    /// client may take the lease from the holder now, and counts that if so.
    bool take(std::string_view key, std::string_view client, std::string_view holder, Instant now) {
        std::erase_if(taken_, [&](const auto& entry) { return now - entry.second >= pause; });
        if (taken_.emplace(key, now).second) {
            lost_by_ = holder;
            lost_to_ = key;
            return true;
        }
        const bool takes_back = !lost_by_.empty() && lost_by_ == client && lost_to_ == key;
        if (takes_back) lost_by_.clear();
        return takes_back;
    }

private:
    std::map<std::string, Instant, std::less<>> taken_;  ///< when each key was last used to take it
    std::string lost_by_;                                ///< the client from whom it was taken last
    std::string lost_to_;                                ///< the key of the one who took it
};

}  // namespace caribou::link
