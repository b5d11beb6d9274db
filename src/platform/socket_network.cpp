#include "platform/socket_network.hpp"

#include "platform/socket_datagram.hpp"
#include "platform/socket_listener.hpp"
#include "platform/socket_stream.hpp"

namespace caribou {

Result<std::unique_ptr<Listener>> SocketNetwork::listen(const Address& at, AcceptHandler on_accept) {
    return SocketListener::open(loop_.core(), log_, at, options_, std::move(on_accept));
}

std::unique_ptr<Stream> SocketNetwork::connect(const Address& to, StreamEvents& events) {
    return SocketStream::connecting(loop_.core(), to, connect_timeout, events);
}

Result<std::unique_ptr<Datagram>> SocketNetwork::bind(const Address& at, Task on_packet) {
    return SocketDatagram::open(loop_.core(), at, std::move(on_packet));
}

}  // namespace caribou
