#include "base/web_request.hpp"

#include <algorithm>

namespace caribou {
namespace {

/// The name or number without the port.
std::string_view host_name(std::string_view host) {
    const std::size_t from = host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0;
    return host.substr(0, host.find(':', from));
}

}  // namespace

bool is_for_us(const WebRequest& request, std::span<const std::string> others) {
    constexpr std::string_view names[] = {"localhost", "127.0.0.1", "[::1]"};
    const std::string_view name = host_name(request.host);
    return std::ranges::find(names, name) != std::end(names) ||
           std::ranges::find(others, name) != others.end();
}

bool is_our_own(const WebRequest& request) {
    if (!request.origin.empty() && request.origin != "http://" + request.host) return false;
    if (!request.fetch_site.empty())
        return request.fetch_site == "same-origin" || request.fetch_site == "none";
    const bool browser = request.user_agent.starts_with("Mozilla/");
    return !browser || !request.origin.empty();
}

}  // namespace caribou
