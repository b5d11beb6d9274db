#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "platform/bluez_objects.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Hears of BlueZ. No event comes inside a call on the bus.
class BluezBusEvents {
public:
    /// BlueZ runs, and has these objects. Whatever was known before is no more.
    virtual void on_reached(BluezObjects objects) = 0;
    /// BlueZ cannot be used. Code::refused: it is there, but not for this user. on_reached comes by
    /// itself when the reason has gone.
    virtual void on_gone(const Error& why) = 0;
    virtual void on_added(const std::string& path, BluezInterfaces interfaces) = 0;
    virtual void on_removed(const std::string& path, const std::vector<std::string>& interfaces) = 0;
    virtual void on_changed(const std::string& path, const std::string& interface,
                            const BluezProperties& changed, const std::vector<std::string>& dropped) = 0;

protected:
    ~BluezBusEvents() = default;
};

struct BluezBusOptions {
    std::string address;                       ///< of the bus; empty: the system's
    Duration retry = std::chrono::seconds(5);  ///< until a bus that refused is asked again
};

/// The way to BlueZ: a D-Bus connection that runs on the loop, and is opened again when it breaks.
/// Opening it blocks for three round trips to the bus daemon, which is on this machine.
class BluezBus {
public:
    /// How a call ended; with the value that was read, or without bytes. The code:
    /// refused (this user may not), not_found (no such object), unavailable (not ready, or nobody
    /// there), already_exists (connected already), closed (not connected), wrong_state (under way
    /// already), timed_out, io (anything else).
    using Answer = std::function<void(const Result<Bytes>& answer)>;

    /// Both outlive it. Begins as soon as the loop runs.
    BluezBus(EventLoop& loop, BluezBusEvents& events, BluezBusOptions options);
    ~BluezBus();

    // No answer comes once BlueZ has gone.

    void call(const std::string& path, std::string_view interface, const std::string& method, Answer answer);
    void set_discovery_filter(const std::string& adapter, Answer answer);
    void read_value(const std::string& characteristic, Answer answer);
    void write_value(const std::string& characteristic, ByteView value, Answer answer);

private:
    class Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace caribou
