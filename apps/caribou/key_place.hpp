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

/// The file in which a robot of that name remembers its link, for who does not say where: among what this
/// user's programs keep.
std::string default_link_record(const std::string& robot);

}  // namespace caribou::app
