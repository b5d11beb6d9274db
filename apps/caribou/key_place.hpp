#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "platform/key_folder.hpp"

namespace caribou::app {

/// `--keys FOLDER`, for every command that has to do with keys.
class KeyPlace {
public:
    CLI::Option* add_to(CLI::App& parser);
    /// What was given, or else `configured`, or $CARIBOU_KEYS, or `caribou/keys` among the settings of this
    /// user.
    KeyFolder folder(const std::string& configured = {}) const;

private:
    std::string given_;
};

/// A fresh key for another machine.
link::PairedKey new_key_for(const std::string& name, link::Role role);

/// The key of that name; of no name, the only one that there is.
Result<link::PairedKey> chosen_key(const KeyFolder& folder, const std::string& name);

/// A file of the robot's state: NAME.link, NAME.latch, NAME.sock. In the folder of `link_record`, or, if
/// that is empty, in the state folder of this user's programs.
std::string state_file(const std::string& robot, const std::string& link_record, std::string_view suffix);

}  // namespace caribou::app
