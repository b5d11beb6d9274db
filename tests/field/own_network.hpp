#pragma once

#include <string>

namespace caribou::tests {

/// A network namespace of its own, with a loopback device: this thread and all that it starts are in it until
/// the destruction. Takes root.
class OwnNetwork {
public:
    OwnNetwork();
    ~OwnNetwork();
    OwnNetwork(const OwnNetwork&) = delete;
    OwnNetwork& operator=(const OwnNetwork&) = delete;

    /// Returns whether the namespace could be entered.
    explicit operator bool() const { return entered_; }
    /// Adds an address that is not a loopback one. Returns false if that fails.
    static bool add_address(const std::string& ip);
    /// Lets packets to multicast groups reach this machine. Returns false if that fails.
    static bool route_multicast();

private:
    int before_;
    bool entered_;
};

}  // namespace caribou::tests
