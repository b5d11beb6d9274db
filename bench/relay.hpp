#pragma once

#include "tcp.hpp"

namespace caribou::bench {

/// The floor of all figures of a broker: forwards the bytes of each connection to all others without parsing
/// them. Plain epoll, one large read, one write per receiver. Never returns.
[[noreturn]] void run_relay(const TcpListener& listener);

}  // namespace caribou::bench
