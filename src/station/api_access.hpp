#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/web_request.hpp"
#include "link/role.hpp"

namespace caribou::station {

/// What a request may do, and whether it had to show a token for it.
struct Access {
    link::Role role = link::Role::observe;
    bool with_token = false;
    std::string key{};  ///< the same for all requests that have shown the same token, or none
};

/// Decides what a request to the station's interface may do.
///
/// | token shown          | on this machine       | from another machine |
/// |----------------------|-----------------------|----------------------|
/// | none, or a wrong one | `local_role`          | refused              |
/// | a right one          | the role of the token | observe              |
///
/// A wrong token leaves the rights of no token, so that it does not prevent a stop.
///
/// A token is shown as `Authorization: Bearer TOKEN`, as `?token=TOKEN`, or as the cookie that sign_in()
/// sets.
struct ApiAccess {
    std::map<std::string, link::Role, std::less<>> tokens{};  ///< role that each token grants
    /// Role of programs on this machine that show no token: of every account.
    link::Role local_role = link::Role::observe;

    /// Returns nullopt if the request is refused.
    std::optional<Access> of(const WebRequest& request) const;

    /// Answers a browser that opens the page as `/?token=TOKEN`: sets the cookie and redirects to the same
    /// address without the token; 401 if the token is wrong. Returns nullopt for any other request.
    std::optional<WebAnswer> sign_in(const WebRequest& request) const;

private:
    /// Returns nullopt if the token is wrong.
    std::optional<Access> access_by(std::string_view token) const;
};

}  // namespace caribou::station
