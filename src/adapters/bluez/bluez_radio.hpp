#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "adapters/bluez/bluez_bus.hpp"
#include "base/log.hpp"
#include "cubes/radio.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Real cubes over BlueZ, the Bluetooth stack of Linux. Uses the first adapter that is switched on. Recovers
/// by itself when BlueZ, an adapter, its power or the permission is back.
class BluezRadio final : public cubes::Radio, private BluezBusEvents {
public:
    /// Limit of queued reads and writes; no light program needs as many.
    static constexpr std::size_t max_exchanges = 256;

    /// Both arguments must outlive this object.
    BluezRadio(EventLoop& loop, Log& log, BluezBusOptions options = {});
    ~BluezRadio() override;

    std::string_view name() const override { return "bluez"; }
    void attach(cubes::RadioEvents* events) override { events_ = events; }
    cubes::RadioStatus status() const override { return status_; }
    /// Returns whether BlueZ has answered or is known to be missing. Before that the status is `unavailable`.
    bool is_known() const { return is_known_; }

    Result<void> start_scan() override;
    void stop_scan() override;
    Result<void> connect(cubes::CubeAddress address) override;
    Result<void> disconnect() override;
    Result<void> read(cubes::Characteristic from) override;
    Result<void> write(cubes::Characteristic to, ByteView value) override;

private:
    struct Exchange {
        cubes::Characteristic characteristic;
        std::optional<Bytes> value;  ///< nullopt: a read
    };
    enum class Stage : std::uint8_t { connecting, resolving, subscribing, up, closing };
    struct Link {
        Stage stage = Stage::connecting;
        std::uint64_t number = 0;
        std::string device;  ///< object path
        std::map<cubes::Characteristic, std::string> paths{};
        int unanswered = 0;                ///< subscriptions without a reply
        std::deque<Exchange> exchanges{};  ///< the first one is in progress
    };

    void on_reached(BluezObjects objects) override;
    void on_gone(const Error& why) override;
    void on_added(const std::string& path, BluezInterfaces interfaces) override;
    void on_removed(const std::string& path, const std::vector<std::string>& interfaces) override;
    void on_changed(const std::string& path, const std::string& interface, const BluezProperties& changed,
                    const std::vector<std::string>& dropped) override;

    /// Selects an adapter and sets the status from the known objects.
    void judge_adapters();
    void ask_adapter();
    void set_status(cubes::RadioStatus::Kind kind, std::string text);
    /// Sets the status to an error of the adapter, which is tried again later.
    void set_trouble(const Error& why);

    void advertise(const std::string& device);
    void on_linked(const Result<Bytes>& answer);
    void follow_device(const BluezProperties& changed);
    void find_characteristics();
    void on_subscribed(const Result<Bytes>& answer);
    void fail_attempt(const Error& why);
    void on_unlinked(const Result<Bytes>& answer);
    void end_link(const Error& why);
    void take_value(const std::string& path, const Bytes& value);
    Result<void> add_exchange(Exchange exchange);
    void begin_exchange();
    void end_exchange(const Result<Bytes>& answer);
    /// Returns an answer handler that is ignored if the connection has changed in the meantime.
    BluezBus::Answer for_link(void (BluezRadio::*take)(const Result<Bytes>&));

    EventLoop& loop_;
    Log& log_;
    Duration retry_;
    cubes::RadioEvents* events_ = nullptr;
    cubes::RadioStatus status_;
    bool is_known_ = false;
    BluezObjects objects_;
    std::string adapter_;      ///< object path; empty if none is switched on
    std::uint64_t asked_ = 0;  ///< number of requests to adapters
    bool scans_ = false;
    std::uint64_t links_ = 0;
    std::optional<Link> link_;
    std::unique_ptr<Timer> retry_timer_;
    BluezBus bus_;
};

}  // namespace caribou
