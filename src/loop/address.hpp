#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// An address of a stream or datagram socket. Written `127.0.0.1:9000`, `[::1]:9000`, `localhost:9000` or
/// `unix:/run/caribou.sock`.
struct Address {
    enum class Kind { ip, unix_socket };

    Kind kind = Kind::ip;
    std::string host;        ///< an IP address or a host name; for a Unix socket its path
    std::uint16_t port = 0;  ///< 0 requests any free port when listening

    static Address ip(std::string host, std::uint16_t port) { return {Kind::ip, std::move(host), port}; }
    static Address unix_path(std::string path) { return {Kind::unix_socket, std::move(path), 0}; }
    /// Parses one of these forms. Returns Code::invalid_argument with an explanation if the text is
    /// malformed.
    static Result<Address> parse(std::string_view text);

    /// Returns true for 127.0.0.0/8, ::1, `localhost` and Unix sockets: traffic to these never leaves the
    /// machine.
    bool is_loopback() const;

    friend auto operator<=>(const Address&, const Address&) = default;
};

std::string to_string(const Address& address);

}  // namespace caribou
