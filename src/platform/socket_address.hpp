#pragma once

// Private to platform.

#include <sys/socket.h>

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou {

/// An address for system calls.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = sizeof(sockaddr_storage);

    sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
    const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
    int family() const { return storage.ss_family; }
};

/// Returns a numeric IP address, or nullopt if the host is a name.
std::optional<SocketAddress> numeric_address(const Address& address);
/// Returns the address of a Unix socket; fails if the path is empty or too long for the system.
Result<SocketAddress> unix_address(const Address& address);
/// Returns all addresses of a host name, IPv4 first. Blocks, so it must only be used at start-up.
Result<std::vector<SocketAddress>> resolve_now(const Address& address);

/// Returns the numeric address. IPv4 addresses mapped into IPv6 are returned as IPv4.
Address to_address(const SocketAddress& address);
/// Returns the address a socket is bound to.
Address local_address(int descriptor);

}  // namespace caribou
