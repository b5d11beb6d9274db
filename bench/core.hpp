#pragma once

namespace caribou::bench {

/// Keeps this thread, and the processes it starts, on one core during its lifetime.
///
/// Used for latencies. Otherwise the scheduler puts load and server on one core in one round and on two in
/// the next, which can take five times as long in a virtual machine (mostly for waking the other core), so
/// that rounds are not comparable. On one core every instruction and every system call of the server counts.
class OneCore {
public:
    OneCore();
    ~OneCore();
    OneCore(const OneCore&) = delete;
    OneCore& operator=(const OneCore&) = delete;
};

}  // namespace caribou::bench
