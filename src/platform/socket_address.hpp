#pragma once

// Private to platform.

#include <sys/socket.h>

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou {

/// An address as the system calls take it.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = sizeof(sockaddr_storage);

    sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
    const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
    int family() const { return storage.ss_family; }
};

/// An IP address written in numbers. Nothing: the host is a name.
std::optional<SocketAddress> numeric_address(const Address& address);
/// A Unix socket's path; refuses one that is empty or too long for the system.
Result<SocketAddress> unix_address(const Address& address);
/// All that a host's name stands for, IPv4 first. Blocks while it asks: for start-up only.
Result<std::vector<SocketAddress>> resolve_now(const Address& address);

/// The way back, in numbers. IPv4 addresses mapped into IPv6 come out as IPv4.
Address to_address(const SocketAddress& address);
/// Where a socket is bound.
Address local_address(int descriptor);

}  // namespace caribou
