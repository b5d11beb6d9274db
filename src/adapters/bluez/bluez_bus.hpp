#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/bluez/bluez_objects.hpp"
#include "base/bytes.hpp"
#include "base/result.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Receives the events of BlueZ. Never called from within a call on the bus.
class BluezBusEvents {
public:
    /// BlueZ is running and has these objects. All earlier state is invalid.
    virtual void on_reached(BluezObjects objects) = 0;
    /// BlueZ cannot be used. Code::refused: it is running, but this user has no permission. on_reached
    /// follows automatically when the reason is gone.
    virtual void on_gone(const Error& why) = 0;
    virtual void on_added(const std::string& path, BluezInterfaces interfaces) = 0;
    virtual void on_removed(const std::string& path, const std::vector<std::string>& interfaces) = 0;
    virtual void on_changed(const std::string& path, const std::string& interface,
                            const BluezProperties& changed, const std::vector<std::string>& dropped) = 0;

protected:
    ~BluezBusEvents() = default;
};

/// Options of the D-Bus connection.
struct BluezBusOptions {
    std::string address;                       ///< D-Bus address; empty: the system bus
    Duration retry = std::chrono::seconds(5);  ///< until a bus that refused access is tried again
};

/// A D-Bus connection to BlueZ on the loop, reopened when it breaks. Opening it blocks for three round trips
/// to the bus daemon on this machine.
class BluezBus {
public:
    /// The result of a call: the value read, or no bytes. Error codes: refused (no permission), not_found (no
    /// such object), unavailable (not ready, or BlueZ is not running), already_exists (already connected),
    /// closed (not connected), wrong_state (already in progress), timed_out, io (all other errors).
    using Answer = std::function<void(const Result<Bytes>& answer)>;

    /// Both arguments must outlive this object. Connects as soon as the loop runs.
    BluezBus(EventLoop& loop, BluezBusEvents& events, BluezBusOptions options);
    ~BluezBus();

    // Calls a method. The answer is not called if BlueZ exits before.

    void call(const std::string& path, std::string_view interface, const std::string& method, Answer answer);
    /// Restricts discovery to Bluetooth LE.
    void set_discovery_filter(const std::string& adapter, Answer answer);
    /// Reads a GATT characteristic; the answer contains its bytes.
    void read_value(const std::string& characteristic, Answer answer);
    /// Writes a GATT characteristic; the answer contains no bytes.
    void write_value(const std::string& characteristic, ByteView value, Answer answer);

private:
    class Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace caribou
