#pragma once

#include <memory>
#include <string>

#include "child/child_process.hpp"
#include "platform/socket_fixture.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

/// A private D-Bus daemon on a socket in its own folder.
class PrivateBus {
public:
    PrivateBus() { start(); }

    /// Returns the address, which does not change in a restart.
    std::string address() const { return "unix:path=" + (folder_ / "bus").string(); }
    void start();
    void stop() { daemon_.reset(); }
    /// Sets whether clients may talk to BlueZ.
    void set_policy(bool allows_bluez);

private:
    std::string configuration() const { return folder_ / "bus.conf"; }

    TemporaryFolder folder_;
    bool allows_bluez_ = true;
    std::unique_ptr<ChildProcess> daemon_;
};

}  // namespace caribou::tests
