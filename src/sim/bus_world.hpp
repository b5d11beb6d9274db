#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "base/random.hpp"
#include "bus/broker_server.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "sim/bus_audit.hpp"
#include "sim/bus_participant.hpp"
#include "sim/bus_plan.hpp"
#include "sim/bus_tap.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Result of a run. The same seed reproduces it.
struct BusReport {
    std::uint64_t seed = 0;
    std::uint64_t steps = 0;
    /// The first violation and all others detected in the same step; empty if there were none.
    std::vector<std::string> violations{};

    // Amount of activity.
    std::uint64_t writes = 0;       ///< values received by the broker
    std::uint64_t told = 0;         ///< values and answers sent by it
    std::uint64_t connections = 0;  ///< connections that received a welcome
    std::uint64_t cuts = 0;         ///< connections closed by the broker
    std::uint64_t thinned = 0;      ///< steps after which a client's backlog had been thinned out
    std::uint64_t excused = 0;      ///< clients whose oldest mail was dropped, so that they may lack a value

    friend bool operator==(const BusReport&, const BusReport&) = default;
};

std::string to_string(const BusReport& report);

/// Options of a run. Everything else is drawn from the seed.
struct BusWorldOptions {
    std::uint64_t steps = 60;
    /// Called with a description of each step; may be empty.
    std::function<void(std::string_view)> trace{};
};

/// A broker and its clients on one virtual clock and one network, with random events from a seed: clients
/// connect, disconnect, crash, stall, are partitioned and reconnected, connections break, the wall clock
/// jumps, and all the time clients write, register and send requests. After every step the guarantees of
/// BusAudit are checked. At the end all faults are removed, and then, within a fixed time,
///
/// - every client is connected again and has sent everything that was pending,
/// - every client has received the latest value of each variable it has registered (unless the broker had to
///   drop its oldest mail),
/// - every client receives a fresh value of each variable it has registered, on whichever connection, and of
///   no other variable.
class BusWorld {
public:
    explicit BusWorld(std::uint64_t seed, BusWorldOptions options = {});

    /// Executes the run; must be called once.
    BusReport run();

private:
    struct Action {
        unsigned weight;
        void (BusWorld::*happen)();
    };
    /// Counts the connections that the broker closes.
    class CutCounter final : public Log {
    public:
        void write(Level level, std::string_view text) override;
        std::uint64_t cuts = 0;
    };

    // One step.
    void step();
    void let_time_pass();
    void check_promises();
    void tell(std::string_view what) const;

    // The possible events, defined in bus_world_actions.cpp.
    static const std::vector<Action>& actions();
    void act();
    void write();
    void write_burst();
    void write_wrong_type();
    void register_something();
    void unregister_something();
    void ask();
    void clear();
    void come();
    void go();
    void crash();
    void stall();
    void partition();
    void reset();
    void step_wall();
    void change_delays();

    BusParticipant* any_present();
    const std::string& any_key();
    Duration any_interval();
    void write_value(BusParticipant& writer, const std::string& key, wire::DataType type);

    // The end of the run, defined in bus_world_end.cpp.
    void settle();
    void heal_everything();
    void await_connected();
    void await_newest(std::string_view when, bool excuse);
    void await_fresh();
    bool has_newest(BusParticipant& participant, const std::string& key) const;
    bool excused(const BusParticipant& participant) const;

    BusReport report_;
    BusWorldOptions options_;
    Random random_;
    BusPlan plan_;
    VirtualLoop loop_;
    BusAudit audit_;
    BusTap tap_;
    CutCounter log_;
    MemoryNetwork network_;
    std::unique_ptr<Network> broker_host_;
    TappedNetwork broker_network_;
    std::unique_ptr<bus::BrokerServer> server_;
    BusParticipant::Setting setting_;
    std::vector<std::unique_ptr<BusParticipant>> participants_;
    std::uint64_t next_number_ = 1;
};

}  // namespace caribou::sim
