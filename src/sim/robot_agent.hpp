#pragma once

// Private to sim.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "robot/cube_places.hpp"
#include "robot/sim_body.hpp"
#include "sim/held_audit.hpp"
#include "sim/robot_process.hpp"
#include "sim/robot_world.hpp"

namespace caribou::sim {

/// A robot with everything that belongs to it, its program running or not.
struct RobotWorld::Agent {
    Agent(RobotWorld& all, std::string its_name, Loop& loop, MemoryNetwork& fabric,
          robot::RunningWorld& world, world::RobotId its_id, std::uint64_t seed)
        : name(std::move(its_name)),
          id(its_id),
          network(fabric.on_host(name)),
          datagrams(all.datagrams_, seed),
          body(world, id),
          machine(loop, wire, body, {.seed = seed}),
          cubes(loop, machine.radio, [&world, its_id] { return robot::cube_distances(world.now(), its_id); }),
          commands(loop.clock(), trace_of(all, name)),
          held(all.options_.most_held),
          log(all, name) {}

    /// Traces what the audit of commands reads, if the run is traced.
    static std::function<void(std::string_view)> trace_of(const RobotWorld& all, const std::string& name) {
        if (!all.options_.trace) return {};
        return [&all, name](std::string_view what) { all.tell(fmt::format("{}: {}", name, what)); };
    }

    std::string name;  ///< also of its host
    world::RobotId id;
    std::unique_ptr<Network> network;
    DatagramWiretap datagrams;
    TappedNetwork wire{*network, datagrams};
    robot::SimBody body;
    RobotMachine machine;
    robot::CubePlaces cubes;
    RobotProgram program{};
    CommandAudit commands;
    HeldAudit held;
    Trace log;
    std::unique_ptr<RobotProcess> process{};  ///< null: it does not run

    std::optional<Instant> back{};       ///< when somebody starts it again
    std::optional<Instant> link_back{};  ///< when the link is mended
    std::optional<Instant> disk_back{};  ///< when there is room on its disk again
    std::optional<Instant> key_until{};  ///< how long somebody holds a key
    std::string key{};                   ///< and which
    Instant next_count{};                ///< when to look again at what it holds
    std::string read_text{};             ///< of its configuration, which was good
    Instant next_tended{};               ///< when a person looks at its battery again
    bool is_empty = false;               ///< it ended with an empty battery, and is to be carried and charged
    bool was_docked = false;
    std::uint64_t carried = 0;
    std::uint64_t dockings = 0;
    std::uint64_t starts = 0;
};

}  // namespace caribou::sim
