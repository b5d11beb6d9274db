#include "station/api_access.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/web_form.hpp"

namespace caribou::station {
namespace {

/// Takes the same time for a wrong secret as for the right one.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        difference |= static_cast<unsigned>(a[i]) ^ static_cast<unsigned>(b[i]);
    return difference == 0;
}

/// Browsers keep cookies per host name, not per port: the name tells stations on one machine apart.
std::string cookie_name(const WebRequest& request) {
    const std::size_t colon = request.host.rfind(':');
    const bool has_port = colon != std::string::npos && !request.host.ends_with(']');
    return "caribou-" + (has_port ? request.host.substr(colon + 1) : "80");
}

/// The target without its token: `/?token=x&view=map` becomes `/?view=map`.
std::string without_token(const WebTarget& target) {
    std::string text;
    for (const auto& [name, value] : target.query)
        if (name != "token")
            text += fmt::format("{}{}={}", text.empty() ? '?' : '&', percent_encoded(name),
                                percent_encoded(value));
    return "/" + (target.path == "index.html" ? "" : target.path) + text;
}

}  // namespace

std::optional<Access> ApiAccess::access_by(std::string_view token) const {
    std::optional<Access> access;
    std::size_t number = 0;
    for (const auto& [secret, grants] : tokens) {
        ++number;
        if (same_secret(secret, token))
            access = Access{.role = grants, .with_token = true, .key = fmt::format("token {}", number)};
    }
    return access;
}

std::optional<Access> ApiAccess::of(const WebRequest& request) const {
    constexpr std::string_view bearer = "Bearer ";
    const WebForm query = parse_target(request.target).query;
    const auto asked = query.find("token");
    const bool has_bearer = request.authorization.starts_with(bearer);
    std::optional<Access> access;
    if (has_bearer)
        access = access_by(std::string_view(request.authorization).substr(bearer.size()));
    else if (asked != query.end())
        access = access_by(asked->second);
    else
        access = access_by(cookie_of(request, cookie_name(request)));
    // An unencrypted connection does not move a robot from another machine.
    if (request.from_outside && access) access->role = link::Role::observe;
    if (request.from_outside || access) return access;
    return Access{.role = local_role, .key = "no token"};
}

std::optional<WebAnswer> ApiAccess::sign_in(const WebRequest& request) const {
    const WebTarget target = parse_target(request.target);
    const auto token = target.query.find("token");
    const bool is_page = target.path.empty() || target.path == "index.html";
    if (!is_page || token == target.query.end() || request.upgrade) return std::nullopt;
    if (!access_by(token->second))
        return WebAnswer{.status = 401,
                         .type = "text/plain; charset=utf-8",
                         .body =
                             "This token is not valid here. `caribou page` prints the address with the "
                             "present one; without a token the page shows the robots and stops them.\n"};
    return WebAnswer{.status = 303,
                     .location = without_token(target),
                     .fields = {{"Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict",
                                                           cookie_name(request), token->second)},
                                {"Referrer-Policy", "no-referrer"}}};
}

}  // namespace caribou::station
