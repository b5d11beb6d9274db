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

/// A mock of BlueZ (bluez_with_cubes.py) with one adapter that is switched on and no devices. Killed on
/// destruction, like a crashing daemon.
class MockBluez {
public:
    explicit MockBluez(const std::string& bus_address);
    ~MockBluez();

    /// Switches the adapter on or off.
    void set_powered(bool powered);
    void add_adapter();
    void remove_adapter();

    /// Adds a device that is in range from now on.
    void add_device(cubes::CubeAddress address, const std::string& name, int rssi);
    void remove_device(cubes::CubeAddress address);
    /// Breaks the connection to a device, as if it were out of range.
    void drop_link(cubes::CubeAddress address);
    bool is_connected(cubes::CubeAddress address);

    /// Makes a method of BlueZ fail with this D-Bus error, until it is allowed again.
    void refuse(const std::string& method, const std::string& error);
    /// Ends the effect of refuse().
    void allow(const std::string& method);

    /// The robot must have enabled notifications.
    void notify(cubes::CubeAddress address, cubes::Characteristic from, ByteView value);
    /// Returns the UUIDs and values that were written, in order.
    std::vector<std::pair<std::string, Bytes>> written();

private:
    class Control;
    ChildProcess process_;
    std::unique_ptr<Control> control_;
};

}  // namespace caribou::tests
