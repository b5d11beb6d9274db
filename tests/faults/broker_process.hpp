#pragma once

#include <cstddef>
#include <optional>

#include "child/child_process.hpp"
#include "loop/address.hpp"

namespace caribou::tests {

/// The real broker, `caribou db`, as a separate process.
class BrokerProcess {
public:
    /// Starts it on a free port; ends the test if it fails to start.
    BrokerProcess();

    const Address& address() const { return address_; }
    /// Returns its peak memory (VmHWM).
    std::size_t peak_memory() const;
    /// Returns the number of open file descriptors, from /proc.
    std::size_t open_descriptors() const;
    /// Stops it and waits. Returns nullopt if it does not exit.
    std::optional<ChildProcess::End> stop();

private:
    ChildProcess program_;
    Address address_;
};

}  // namespace caribou::tests
