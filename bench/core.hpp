#pragma once

namespace caribou::bench {

/// Keeps this thread, and the processes that it starts, on one core for as long as it lives.
///
/// Latencies are measured so. Left alone, the scheduler puts load and server on one core in one
/// round and on two in the next, which can take five times as long in a virtual machine (most of
/// it for waking the other core), and no two such rounds compare. On one core every instruction
/// and every system call of the server shows.
class OneCore {
public:
    OneCore();
    ~OneCore();
    OneCore(const OneCore&) = delete;
    OneCore& operator=(const OneCore&) = delete;
};

}  // namespace caribou::bench
