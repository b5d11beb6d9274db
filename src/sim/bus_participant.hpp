#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bus/client.hpp"
#include "loop/memory_network.hpp"
#include "sim/bus_audit.hpp"
#include "sim/stalling_network.hpp"
#include "sim/wishes.hpp"

namespace caribou::sim {

/// A client on its own host that connects and disconnects, and records, while present, its registrations and
/// the last value received for each. It reports to the audit:
///
/// - a value that never reached the broker, that is older than one received before, or that it never
///   requested,
/// - an outbox beyond its limit.
class BusParticipant {
public:
    struct Setting {
        Loop& loop;
        MemoryNetwork& network;
        BusAudit& audit;
        std::vector<std::string> keys;  ///< all variables of the world
    };

    /// The name is also that of its host. `setting` must outlive this object.
    BusParticipant(Setting& setting, std::string name);

    const std::string& name() const { return name_; }
    bool present() const { return client_ != nullptr; }
    /// Must only be called while the client is present.
    bus::Client& client() { return *client_; }
    bool connected() const { return client_ && client_->connected(); }
    StallingNetwork& network() { return network_; }

    /// Connects with a new client. Must only be called while it is not present.
    void come(bus::ClientOptions options);
    /// Disconnects after sending all pending messages, or after `limit`. The client is present until then;
    /// see sweep().
    void go(Duration limit);
    /// Simulates a power failure of its host.
    void crash();
    /// Destroys a client that has disconnected.
    void sweep();

    /// Each returns whether the client accepted the call.
    bool register_variable(std::string_view key, Duration interval);
    bool unregister_variable(std::string_view key);
    bool register_wildcard(std::string_view var_pattern, std::string_view app_pattern, Duration interval);
    bool unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern);

    Want want(std::string_view key) const { return wishes_.want(key); }
    /// Returns the number of the last value received for a variable.
    std::optional<std::uint64_t> heard(std::string_view key) const;
    /// Reports an outbox beyond its limit to the audit.
    void check_outbox();

private:
    void on_mail(const wire::MessageView& message);
    void forget();

    Setting& setting_;
    std::string name_;
    std::unique_ptr<Network> host_;
    StallingNetwork network_;
    std::unique_ptr<bus::Client> client_;
    Wishes wishes_;
    std::map<std::string, std::uint64_t, std::less<>> heard_;
};

}  // namespace caribou::sim
