#pragma once

#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "kit/program/exit.hpp"

namespace caribou {
class Network;
namespace bus {
class App;
class AppFrame;
}  // namespace bus
}  // namespace caribou

namespace caribou::app {

/// One command after `caribou`. Each adds itself and its options to the command line, and runs if it was
/// selected.
class Command {
public:
    virtual ~Command() = default;
    virtual CLI::App* add_to(CLI::App& program) = 0;
    virtual Exit run() = 0;
    /// Returns the app that the command is, which declares the words of its block; null if it is none.
    virtual std::unique_ptr<bus::App> make_app(bus::AppFrame&, Network&, const std::string& mission) const;
};

std::unique_ptr<Command> make_body_command();
std::unique_ptr<Command> make_cubes_command();
std::unique_ptr<Command> make_db_command();
std::unique_ptr<Command> make_demo_command();
std::unique_ptr<Command> make_doctor_command();
std::unique_ptr<Command> make_driver_command();
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
std::unique_ptr<Command> make_recordings_command();
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
std::unique_ptr<Command> make_process_watch_command();
std::unique_ptr<Command> make_timer_script_command();
std::unique_ptr<Command> make_logger_command();
std::unique_ptr<Command> make_query_command();
std::unique_ptr<Command> make_alog_command();
std::unique_ptr<Command> make_appcast_command();
std::unique_ptr<Command> make_marine_sim_command();
std::unique_ptr<Command> make_marine_pid_command();
std::unique_ptr<Command> make_node_reporter_command();
std::unique_ptr<Command> make_helm_command();
std::unique_ptr<Command> make_scope_command();
std::unique_ptr<Command> make_world_command();
std::unique_ptr<Command> make_completion_command();
std::unique_ptr<Command> make_manual_command();

}  // namespace caribou::app
