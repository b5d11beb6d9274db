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

/// What came of a run. Its seed gives the same run again.
struct BusReport {
    std::uint64_t seed = 0;
    std::uint64_t steps = 0;
    /// What was broken first, and all that was seen in the same step; empty: every promise held.
    std::vector<std::string> violations{};

    // How much there was to see.
    std::uint64_t writes = 0;       ///< values that reached the broker
    std::uint64_t told = 0;         ///< values and answers that left it
    std::uint64_t connections = 0;  ///< that got as far as a welcome
    std::uint64_t cuts = 0;         ///< connections that the broker ended
    std::uint64_t thinned = 0;      ///< steps after which somebody's backlog had been thinned out
    std::uint64_t excused = 0;      ///< clients whose oldest mail had gone, so that they may lack a value

    friend bool operator==(const BusReport&, const BusReport&) = default;
};

std::string to_string(const BusReport& report);

struct BusWorldOptions {
    std::uint64_t steps = 60;
    /// Is told what happens, step by step.
    std::function<void(std::string_view)> trace{};
};

/// A broker and its clients on one virtual clock and one network, and a seed that decides what
/// befalls them: clients come, leave, crash, stall, are cut off and healed, connections break, the
/// wall clock jumps, and all the while they write, register and ask. After every step BusAudit's
/// promises are checked. In the end everything is healed, and then, within a named time,
///
/// - every client is connected again and has said what it had to say,
/// - every client has heard the newest value of whatever it has registered (unless the broker had
///   to let its oldest mail go),
/// - every client hears a fresh value of whatever it has registered, over however many connections
///   ago, and of nothing else.
class BusWorld {
public:
    explicit BusWorld(std::uint64_t seed, BusWorldOptions options = {});

    /// The whole run; once.
    BusReport run();

private:
    struct Action {
        unsigned weight;
        void (BusWorld::*happen)();
    };
    /// Hears of the connections that the broker ends.
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

    // What can happen, to whom it may: bus_world_actions.cpp.
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

    // The end: bus_world_end.cpp.
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
