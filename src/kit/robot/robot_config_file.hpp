#pragma once

#include <functional>
#include <string>
#include <utility>

#include "adapters/keys/key_folder.hpp"
#include "adapters/robot_files/config_file.hpp"

namespace caribou::app {

/// The configuration file of a robot that runs.
class RobotConfigFile final : public robot::ConfigStore {
public:
    /// The robot that runs.
    struct Running {
        std::string name;
        std::function<KeyFolder(const std::string& configured)> keys;  ///< the folder for this `link.keys`
        bool is_guarded = false;       ///< the program was started with a guard
        bool has_own_classes = false;  ///< trees may use classes that only the program knows
    };
    RobotConfigFile(const std::string& path, Running running)
        : file_(path), path_(path), running_(std::move(running)) {}

    Result<std::string> read() override { return file_.read(); }
    /// Fails for a file of the installation, which must stay as it was installed.
    Result<void> write(const std::string& text) override;
    std::string path() const override { return path_; }

private:
    /// Fails if the start would fail, and for another name: keys and the stored stop belong to the name.
    Result<void> check(const robot::ReadConfig& read) override;
    /// Fails for a tree that does not load. With classes of programs, only that it is JSON is checked.
    Result<void> check_value(const std::string& key, const robot::ReadConfig& read) override;

    ConfigFile file_;
    std::string path_;
    Running running_;
};

}  // namespace caribou::app
