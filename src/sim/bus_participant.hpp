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

/// A client on a host of its own, that comes and goes and remembers, while it is there, what it has
/// asked for and what it has heard last. It notes in the audit:
///
/// - a value that never reached the broker, that is older than one it has heard before, or that
///   it never asked for,
/// - an outbox beyond its limit.
class BusParticipant {
public:
    struct Setting {
        Loop& loop;
        MemoryNetwork& network;
        BusAudit& audit;
        std::vector<std::string> keys;  ///< all variables of the world
    };

    /// The name is also its host's. Setting outlives it.
    BusParticipant(Setting& setting, std::string name);

    const std::string& name() const { return name_; }
    bool present() const { return client_ != nullptr; }
    /// Only while it is present.
    bus::Client& client() { return *client_; }
    bool connected() const { return client_ && client_->connected(); }
    StallingNetwork& network() { return network_; }

    void come(bus::ClientOptions options);
    /// Leaves in good order: says what it still has to say, at most for `limit`. It is present until
    /// then; see sweep().
    void go(Duration limit);
    /// Its host loses power.
    void crash();
    /// Lets go of a client that has left.
    void sweep();

    /// Each returns whether the client took it.
    bool register_variable(std::string_view key, Duration interval);
    bool unregister_variable(std::string_view key);
    bool register_wildcard(std::string_view app_pattern, std::string_view var_pattern, Duration interval);
    bool unregister_wildcard(std::string_view app_pattern, std::string_view var_pattern);

    Want want(std::string_view key) const { return wishes_.want(key); }
    /// The number of the last value heard of a variable.
    std::optional<std::uint64_t> heard(std::string_view key) const;
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
