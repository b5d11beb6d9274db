#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "bus/appcast.hpp"

namespace caribou::bus {

/// The latest report of each app, by community and app: the contents of `caribou appcast`.
class AppCastBoard {
public:
    static constexpr std::size_t max_apps = 10'000;

    /// Handles a value of APPCAST. Fails with malformed, or with limit_exceeded if there are too many apps.
    Result<void> take(std::string_view text);

    /// The reports, sorted by community and app. An app without a community belongs to `unknown_node`.
    const std::map<std::pair<std::string, std::string>, AppCast>& casts() const { return casts_; }
    /// Returns the reports of the apps and communities that match the patterns.
    std::vector<const AppCast*> matching(std::string_view node, std::string_view app) const;

private:
    std::map<std::pair<std::string, std::string>, AppCast> casts_;
};

/// Returns a table for people: a line per app with its numbers of iterations and warnings.
std::string appcast_table(const std::vector<const AppCast*>& casts);
/// Returns a whole report for people. Terminal escapes of its texts are removed.
std::string appcast_page(const AppCast& cast);
/// Returns a JSON array.
std::string appcast_json(const std::vector<const AppCast*>& casts);

}  // namespace caribou::bus
