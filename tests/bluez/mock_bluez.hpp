#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "child/child_process.hpp"
#include "cubes/cube_address.hpp"
#include "cubes/radio.hpp"

namespace caribou::tests {

/// BlueZ played by bluez_with_cubes.py, with one adapter that is switched on and nothing on the air.
/// Ended like a daemon that crashes when it goes.
class MockBluez {
public:
    explicit MockBluez(const std::string& bus_address);
    ~MockBluez();

    void set_powered(bool powered);
    void add_adapter();
    void remove_adapter();

    /// On the air from now on.
    void add_device(cubes::CubeAddress address, const std::string& name, int rssi);
    void remove_device(cubes::CubeAddress address);
    void drop_link(cubes::CubeAddress address);
    bool is_connected(cubes::CubeAddress address);

    /// Answers the method of BlueZ with this D-Bus error, until it is allowed again.
    void refuse(const std::string& method, const std::string& error);
    void allow(const std::string& method);

    /// The robot must have asked for notifications.
    void notify(cubes::CubeAddress address, cubes::Characteristic from, ByteView value);
    /// The UUIDs that were written to, and what, in order.
    std::vector<std::pair<std::string, Bytes>> written();

private:
    class Control;
    ChildProcess process_;
    std::unique_ptr<Control> control_;
};

}  // namespace caribou::tests
