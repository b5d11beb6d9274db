#pragma once

// Private to platform.

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou {

/// Makes a non-blocking socket that listens, and returns its descriptor. A Unix socket gets mode
/// 0600; a file that a dead program left at its path is replaced, one where somebody listens is
/// not. A host's name is looked up before it returns.
Result<int> open_listening_socket(const Address& at);

/// Moves a descriptor to a number above `others` (or to one of the last 16 that the process may have) and
/// returns it; returns the same number if there is none. When a process is killed, Linux releases its
/// descriptors from the highest down: a listening socket that has the highest refuses new connections before
/// any other connection is closed.
int move_above(int descriptor, std::size_t others);

/// Drops the first packet of every connection that begins from now on (TCP only). The peer sends it again a
/// second later, and is refused if the socket has been closed by then. Handshakes of TCP that are under way
/// complete.
void drop_new_connections(int descriptor);

/// Makes a non-blocking UDP socket bound to an IP address.
Result<int> open_datagram_socket(const Address& at);

/// The file of a Unix socket. Goes with its owner, unless somebody else has put another there.
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
