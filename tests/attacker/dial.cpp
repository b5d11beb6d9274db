#include "attacker/dial.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loop/address.hpp"

namespace caribou::tests {

int dial(const std::string& at) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(Address::parse(at).value().port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return socket;
    ::close(socket);
    return -1;
}

}  // namespace caribou::tests
