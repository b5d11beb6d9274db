#pragma once

// Private to sim.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "robot/cube_places.hpp"
#include "robot/sim_body.hpp"
#include "sim/held_audit.hpp"
#include "sim/robot_audit.hpp"
#include "sim/robot_process.hpp"
#include "sim/robot_world.hpp"

namespace caribou::sim {

/// A robot and everything that belongs to it, whether its program is running or not.
struct RobotWorld::Agent {
    Agent(RobotWorld& all, std::string its_name, Loop& loop, MemoryNetwork& fabric,
          robot::RunningWorld& world, world::RobotId its_id, std::uint64_t seed)
        : name(std::move(its_name)),
          id(its_id),
          network(fabric.on_host(name)),
          datagrams(all.datagrams_, id, seed),
          body(world, id),
          machine(loop, wire, body, {.seed = seed}),
          cubes(loop, machine.radio, [&world, its_id] { return robot::cubes_around(world.now(), its_id); }),
          commands(loop.clock(), trace_of(all, name)),
          audit(loop.clock(), robot::RobotConfig{}.motion),
          held(all.options_.most_held),
          log(all, name) {
        commands.set_listener(&audit);
    }

    /// Returns a function that traces the audited commands, or an empty one if the run is not traced.
    static std::function<void(std::string_view)> trace_of(const RobotWorld& all, const std::string& name) {
        if (!all.options_.trace) return {};
        return [&all, name](std::string_view what) { all.tell(fmt::format("{}: {}", name, what)); };
    }

    std::string name;  ///< and of its host
    world::RobotId id;
    std::unique_ptr<Network> network;
    DatagramWiretap datagrams;
    TappedNetwork wire{*network, datagrams};
    robot::SimBody body;
    RobotMachine machine;
    robot::CubePlaces cubes;
    RobotProgram program{};
    CommandAudit commands;
    RobotAudit audit;
    HeldAudit held;
    Trace log;
    std::unique_ptr<RobotProcess> process{};  ///< null if not running

    std::optional<Instant> back{};       ///< when the program is restarted
    std::optional<Instant> link_back{};  ///< when the link is restored
    Instant cut_since{};
    std::optional<Instant> hang_at{};         ///< when the main thread hangs for a moment
    std::optional<Instant> reset_at{};        ///< when the connection with the station is reset
    std::optional<Instant> disk_back{};       ///< when its disk has free space again
    std::optional<Instant> release_at{};      ///< when a brief stop is released
    std::optional<std::uint64_t> stranger{};  ///< session of a peer that sends invalid commands
    Instant stranger_until{};
    std::optional<Instant> unhang_at{};  ///< when a hanging thread continues
    std::size_t hanging = 0;             ///< index of that thread
    Instant hangs_since{};
    Instant unhung{};       ///< when a thread last continued
    Instant whole_since{};  ///< since when no part of its body is broken
    std::optional<link::PairedKey> friends_key{};
    Instant unpaired_at{};
    std::optional<Instant> paired_at{};                 ///< when the key of a friend is restored
    std::map<std::string, Instant, std::less<>> drove;  ///< when each operator last sent a motion command
    bool was_driven = false;                            ///< by the autopilot
    struct StopDue {
        Instant at;
        Instant since;
        StreamNumber stream;
    };
    std::optional<StopDue> stop_due{};  ///< a full stop that the station has to send
    struct FullStopDue {
        Instant at;
        Instant since;
    };
    std::optional<FullStopDue> full_stop_due{};  ///< a full stop that the robot has to execute
    std::size_t falls = 0;
    double hardest = 0;                  ///< collision so far, m/s
    std::uint64_t datagram_stops = 0;    ///< full stops executed by the running program
    std::optional<Instant> key_until{};  ///< until when a key is held
    std::string key{};                   ///< which key
    Instant next_count{};                ///< when to check memory limits again
    std::string read_text{};             ///< last valid contents of its configuration file
    Instant next_tended{};               ///< when a person checks its battery again
    bool is_empty = false;               ///< stopped with an empty battery; must be carried to the charger
    bool was_docked = false;
    std::uint64_t carried = 0;
    std::uint64_t dockings = 0;
    std::uint64_t starts = 0;
};

}  // namespace caribou::sim
