#include "bluez/mock_bluez.hpp"

#include <algorithm>
#include <cctype>

#include <test_paths.hpp>
#include "adapters/bluez/sdbus_calls.hpp"
#include "base/check.hpp"
#include "cubes/cube_uuids.hpp"

namespace caribou::tests {
namespace {

/// The notation of BlueZ.
std::string upper(cubes::CubeAddress address) {
    std::string text = to_string(address);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

}  // namespace

/// Synchronous calls on the mock's own D-Bus interface.
class MockBluez::Control {
public:
    explicit Control(const std::string& bus_address)
        : bus_(sdbus::createSessionBusConnectionWithAddress(bus_address)),
          mock_(sdbus_calls::make_proxy(*bus_, "org.bluez", "/")) {}

    template <class... Arguments>
    void call(const std::string& method, Arguments... arguments) {
        mock_->callMethod(method).onInterface("org.bluez.Mock").withArguments(arguments...);
    }
    template <class Value, class... Arguments>
    Value ask(const std::string& method, Arguments... arguments) {
        Value value;
        mock_->callMethod(method)
            .onInterface("org.bluez.Mock")
            .withArguments(arguments...)
            .storeResultsTo(value);
        return value;
    }

private:
    std::unique_ptr<sdbus::IConnection> bus_;
    std::unique_ptr<sdbus::IProxy> mock_;
};

MockBluez::MockBluez(const std::string& bus_address)
    : process_({"/usr/bin/python3", "-m", "dbusmock", "--session", "--logfile", "/dev/null", "--template",
                in_repository("tests/bluez/bluez_with_cubes.py")},
               {"DBUS_SESSION_BUS_ADDRESS=" + bus_address}) {
    check(process_.read_line(std::chrono::seconds(60)) == "ready", "the mock has started");
    control_ = std::make_unique<Control>(bus_address);
}

MockBluez::~MockBluez() = default;

void MockBluez::set_powered(bool powered) { control_->call("SetPowered", powered); }
void MockBluez::add_adapter() { control_->call("AddAdapter"); }
void MockBluez::remove_adapter() { control_->call("RemoveAdapter"); }

void MockBluez::add_device(cubes::CubeAddress address, const std::string& name, int rssi) {
    control_->call("AddDevice", upper(address), name, static_cast<std::int16_t>(rssi));
}
void MockBluez::remove_device(cubes::CubeAddress address) { control_->call("RemoveDevice", upper(address)); }
void MockBluez::drop_link(cubes::CubeAddress address) { control_->call("DropLink", upper(address)); }
bool MockBluez::is_connected(cubes::CubeAddress address) {
    return control_->ask<bool>("IsConnected", upper(address));
}

void MockBluez::refuse(const std::string& method, const std::string& error) {
    control_->call("Refuse", method, error);
}
void MockBluez::allow(const std::string& method) { control_->call("Allow", method); }

void MockBluez::notify(cubes::CubeAddress address, cubes::Characteristic from, ByteView value) {
    std::vector<std::uint8_t> octets;
    for (const std::byte each : value) octets.push_back(std::to_integer<std::uint8_t>(each));
    control_->call("Notify", upper(address), std::string(uuid_of(from)), octets);
}

std::vector<std::pair<std::string, Bytes>> MockBluez::written() {
    using Write = sdbus::Struct<std::string, std::vector<std::uint8_t>>;
    std::vector<std::pair<std::string, Bytes>> all;
    for (const Write& write : control_->ask<std::vector<Write>>("Written")) {
        const ByteView bytes = std::as_bytes(std::span(write.get<1>()));
        all.emplace_back(write.get<0>(), Bytes(bytes.begin(), bytes.end()));
    }
    return all;
}

}  // namespace caribou::tests
