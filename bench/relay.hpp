#pragma once

#include "tcp.hpp"

namespace caribou::bench {

/// The floor under every figure of a broker: forwards the bytes of each connection to all others
/// without looking at them. Bare epoll, one big read, one write per receiver. Never returns.
[[noreturn]] void run_relay(const TcpListener& listener);

}  // namespace caribou::bench
