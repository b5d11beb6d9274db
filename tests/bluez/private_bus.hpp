#pragma once

#include <memory>
#include <string>

#include "child/child_process.hpp"
#include "platform/socket_fixture.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

/// A D-Bus daemon of the test's own, on a socket in a folder of its own.
class PrivateBus {
public:
    PrivateBus() { start(); }

    /// The same one after a restart.
    std::string address() const { return "unix:path=" + (folder_ / "bus").string(); }
    void start();
    void stop() { daemon_.reset(); }
    /// Whether anybody may talk to BlueZ.
    void set_policy(bool allows_bluez);

private:
    std::string configuration() const { return folder_ / "bus.conf"; }

    TemporaryFolder folder_;
    bool allows_bluez_ = true;
    std::unique_ptr<ChildProcess> daemon_;
};

}  // namespace caribou::tests
