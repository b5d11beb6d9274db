#pragma once

#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

namespace caribou::app {

/// Exit status of the program; scripts can rely on these.
enum class Exit : int {
    ok = 0,
    failed = 1,  ///< run-time error, with a message on stderr
    usage = 2,   ///< invalid command line
};

/// One command after `caribou`. Each adds itself and its options to the command line, and runs if it was
/// selected.
class Command {
public:
    virtual ~Command() = default;
    virtual CLI::App* add_to(CLI::App& program) = 0;
    virtual Exit run() = 0;
};

std::unique_ptr<Command> make_body_command();
std::unique_ptr<Command> make_cubes_command();
std::unique_ptr<Command> make_db_command();
std::unique_ptr<Command> make_demo_command();
std::unique_ptr<Command> make_doctor_command();
std::unique_ptr<Command> make_guard_command();
std::unique_ptr<Command> make_launch_command();
std::unique_ptr<Command> make_mission_command();
std::unique_ptr<Command> make_new_command();
std::unique_ptr<Command> make_page_command();
std::unique_ptr<Command> make_pair_command();
std::unique_ptr<Command> make_ros_bridge_command();
std::unique_ptr<Command> make_share_command();
std::unique_ptr<Command> make_station_command();
std::unique_ptr<Command> make_robot_command();
std::unique_ptr<Command> make_robots_command();
std::unique_ptr<Command> make_send_command();
std::unique_ptr<Command> make_drive_command();
std::unique_ptr<Command> make_route_command();
std::unique_ptr<Command> make_topics_command();
std::unique_ptr<Command> make_sim_command();
std::unique_ptr<Command> make_tree_command();
std::unique_ptr<Command> make_tunnel_command();
std::unique_ptr<Command> make_poke_command();
std::unique_ptr<Command> make_watch_command();
std::unique_ptr<Command> make_clients_command();
std::unique_ptr<Command> make_ping_command();
std::unique_ptr<Command> make_record_command();
std::unique_ptr<Command> make_replay_command();
std::unique_ptr<Command> make_alog_command();
std::unique_ptr<Command> make_scope_command();
std::unique_ptr<Command> make_world_command();
std::unique_ptr<Command> make_completion_command();
std::unique_ptr<Command> make_manual_command();

}  // namespace caribou::app
