#pragma once

#include "tcp.hpp"

namespace caribou::bench {

/// The least that serves clients of this protocol: parses packets, stores the latest value of each variable,
/// and sends each subscriber one packet per turn. No limits, no names, no intervals, no wildcards, no
/// journal, no checks. Shows what the protocol itself costs beside a relay. Never returns.
[[noreturn]] void run_minimal_broker(const TcpListener& listener);

}  // namespace caribou::bench
