#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "platform/key_folder.hpp"

namespace caribou::app {

/// `--keys FOLDER`, for every command that has to do with keys.
class KeyPlace {
public:
    CLI::Option* add_to(CLI::App& parser);
    /// What was given, or $CARIBOU_KEYS, or `caribou/keys` among the settings of this user.
    KeyFolder folder() const;

private:
    std::string given_;
};

}  // namespace caribou::app
