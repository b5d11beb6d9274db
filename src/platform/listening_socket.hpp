#pragma once

// Private to platform.

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou {

/// Creates a non-blocking listening socket and returns its descriptor. A Unix socket gets mode 0600; a stale
/// socket file at its path is replaced, one in use is not. Blocks while it resolves a host name.
Result<int> open_listening_socket(const Address& at);

/// Moves a descriptor to a number above `others` (or to one of the last 16 that the process may have) and
/// returns it; returns the same number if none is free. When a process is killed, Linux closes its
/// descriptors from the highest down: a listening socket with the highest number refuses new connections
/// before any other connection is closed.
int move_above(int descriptor, std::size_t others);

/// Drops the first packet of every new TCP connection. The peer repeats it after a second, and is refused if
/// the socket has been closed by then. TCP handshakes in progress are completed.
void drop_new_connections(int descriptor);

/// Creates a non-blocking UDP socket bound to an IP address.
Result<int> open_datagram_socket(const Address& at);

/// The file of a Unix socket. Removed with its owner, unless another process has replaced it.
class SocketFile {
public:
    SocketFile() = default;
    explicit SocketFile(std::string path);
    ~SocketFile();
    SocketFile(SocketFile&& other) noexcept;
    SocketFile& operator=(SocketFile&&) = delete;

private:
    std::string path_;
    dev_t device_ = 0;
    ino_t number_ = 0;
};

}  // namespace caribou
