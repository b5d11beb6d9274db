#include "platform/socket_address.hpp"

#include <arpa/inet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace caribou {

namespace {

using AddressInfo = std::unique_ptr<addrinfo, decltype([](addrinfo* info) { freeaddrinfo(info); })>;

SocketAddress from_raw(const sockaddr* raw, socklen_t size) {
    SocketAddress address;
    std::memcpy(&address.storage, raw, size);
    address.size = size;
    return address;
}

Result<std::vector<SocketAddress>> look_up(const Address& address, int flags) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int failed =
        getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
    if (failed != 0)
        return fail(Code::not_found, fmt::format("no address is known for the host {}: {}", address.host,
                                                 gai_strerror(failed)));
    const AddressInfo owner(found);
    std::vector<SocketAddress> all;
    for (const addrinfo* at = found; at != nullptr; at = at->ai_next)
        all.push_back(from_raw(at->ai_addr, at->ai_addrlen));
    return all;
}

std::string ipv6_text(const sockaddr_in6& from) {
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(AF_INET6, &from.sin6_addr, text, sizeof text);
    char interface[IF_NAMESIZE] = {};
    if (from.sin6_scope_id == 0 || if_indextoname(from.sin6_scope_id, interface) == nullptr) return text;
    return fmt::format("{}%{}", text, interface);
}

Address ipv4(const void* number, in_port_t port) {
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, number, text, sizeof text);
    return Address::ip(text, ntohs(port));
}

}  // namespace

std::optional<SocketAddress> numeric_address(const Address& address) {
    sockaddr_in v4{};
    if (inet_pton(AF_INET, address.host.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(address.port);
        return from_raw(reinterpret_cast<const sockaddr*>(&v4), sizeof v4);
    }
    sockaddr_in6 v6{};
    if (inet_pton(AF_INET6, address.host.c_str(), &v6.sin6_addr) == 1) {
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(address.port);
        return from_raw(reinterpret_cast<const sockaddr*>(&v6), sizeof v6);
    }
    if (address.host.find('%') == std::string::npos) return std::nullopt;
    const auto scoped = look_up(address, AI_NUMERICHOST);  // such as fe80::1%eth0
    return scoped && !scoped->empty() ? std::optional(scoped->front()) : std::nullopt;
}

Result<SocketAddress> unix_address(const Address& address) {
    sockaddr_un at{};
    if (address.host.empty())
        return fail(Code::invalid_argument, "a Unix socket needs a path, as in unix:/run/caribou.sock");
    if (address.host.size() >= sizeof at.sun_path)
        return fail(Code::limit_exceeded,
                    fmt::format("the path of a Unix socket has at most {} characters: {}",
                                sizeof at.sun_path - 1, address.host));
    at.sun_family = AF_UNIX;
    std::memcpy(at.sun_path, address.host.data(), address.host.size());
    return from_raw(reinterpret_cast<const sockaddr*>(&at),
                    static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.host.size() + 1));
}

Result<std::vector<SocketAddress>> resolve_now(const Address& address) {
    if (const auto numbers = numeric_address(address)) return std::vector{*numbers};
    auto all = look_up(address, 0);
    if (all)
        std::ranges::stable_sort(*all, {}, [](const SocketAddress& one) { return one.family() != AF_INET; });
    return all;
}

Address to_address(const SocketAddress& address) {
    if (address.family() == AF_INET) {
        sockaddr_in from{};
        std::memcpy(&from, &address.storage, sizeof from);
        return ipv4(&from.sin_addr, from.sin_port);
    }
    if (address.family() == AF_INET6) {
        sockaddr_in6 from{};
        std::memcpy(&from, &address.storage, sizeof from);
        if (IN6_IS_ADDR_V4MAPPED(&from.sin6_addr)) return ipv4(&from.sin6_addr.s6_addr[12], from.sin6_port);
        return Address::ip(ipv6_text(from), ntohs(from.sin6_port));
    }
    sockaddr_un from{};
    std::memcpy(&from, &address.storage, std::min<std::size_t>(address.size, sizeof from - 1));
    return Address::unix_path(from.sun_path);
}

Address local_address(int descriptor) {
    SocketAddress address;
    if (getsockname(descriptor, address.raw(), &address.size) != 0) return {};
    return to_address(address);
}

}  // namespace caribou
