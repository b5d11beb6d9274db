#pragma once

#include <cstddef>
#include <optional>

#include "child/child_process.hpp"
#include "loop/address.hpp"

namespace caribou::tests {

/// The real broker, `caribou db`, as a process of its own.
class BrokerProcess {
public:
    /// Starts it on a free port; ends the test if it does not come up.
    BrokerProcess();

    const Address& address() const { return address_; }
    /// The most memory it has held so far (VmHWM).
    std::size_t peak_memory() const;
    std::size_t open_descriptors() const;
    /// Tells it to end, and waits. Nothing: it does not.
    std::optional<ChildProcess::End> stop();

private:
    ChildProcess program_;
    Address address_;
};

}  // namespace caribou::tests
