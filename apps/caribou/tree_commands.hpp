#pragma once

#include <memory>

#include "caribou/commands.hpp"

namespace caribou::app {

// The commands after `caribou tree`.
std::unique_ptr<Command> make_tree_check_command();
std::unique_ptr<Command> make_tree_show_command();
std::unique_ptr<Command> make_tree_run_command();
std::unique_ptr<Command> make_tree_explain_command();
std::unique_ptr<Command> make_tree_record_command();
std::unique_ptr<Command> make_tree_replay_command();
std::unique_ptr<Command> make_tree_classes_command();

}  // namespace caribou::app
