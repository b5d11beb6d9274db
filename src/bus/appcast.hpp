#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// The status report of an app: the value of the variable APPCAST (docs/formats/appcast.md).
struct AppCast {
    std::string proc{};  ///< name of the app
    std::string node{};  ///< its community; may be empty
    std::uint64_t iteration = 0;
    std::vector<std::string> messages{};  ///< lines of the report
    std::vector<std::string> config_warnings{};
    std::vector<std::string> events{};  ///< oldest first, with their times
    std::uint64_t run_warning_total = 0;
    std::map<std::string, std::uint64_t> run_warnings{};  ///< text and count

    friend bool operator==(const AppCast&, const AppCast&) = default;
};

/// Returns the value of APPCAST. The format has no escapes: separators in texts are broken up by a blank, and
/// line ends in texts other than messages become blanks.
std::string to_string(const AppCast& cast);

/// Parses a value of APPCAST. Unknown fields are skipped. Fails with malformed if there is no `proc`.
Result<AppCast> parse_appcast(std::string_view text);

/// A request for reports: the value of the variable APPCAST_REQ.
struct AppCastRequest {
    enum class Threshold { any, run_warning };

    std::string node = "all";  ///< community, or `all`
    std::string app = "all";   ///< app, or `all`
    double duration = 0;       ///< in warped seconds; 0 cancels
    std::string key{};         ///< one per client: a request replaces the one with the same key
    Threshold threshold = Threshold::any;

    friend bool operator==(const AppCastRequest&, const AppCastRequest&) = default;
};

std::string to_string(const AppCastRequest& request);

/// Parses a value of APPCAST_REQ. Fails with malformed if there is no `key` or no number as the duration. The
/// duration is limited to 30 s.
Result<AppCastRequest> parse_appcast_request(std::string_view text);

}  // namespace caribou::bus
