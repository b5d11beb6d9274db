#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "adapters/keys/key_folder.hpp"

namespace caribou::app {

/// The option `--keys FOLDER` of all commands that use keys.
class KeyPlace {
public:
    CLI::Option* add_to(CLI::App& parser);
    /// Returns the folder given on the command line, or else `configured`, or $CARIBOU_KEYS, or
    /// `caribou/keys` in this user's configuration folder.
    KeyFolder folder(const std::string& configured = {}) const;

private:
    std::string given_;
};

/// Returns a new random key for another machine.
link::PairedKey new_key_for(const std::string& name, link::Role role);

/// Returns the path of a state file of the robot: NAME.link, NAME.latch, NAME.sock. In the folder of
/// `link_record`, or, if that is empty, in this user's state folder.
std::string state_file(const std::string& robot, const std::string& link_record, std::string_view suffix);

}  // namespace caribou::app
