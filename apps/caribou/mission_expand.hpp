#pragma once

#include <memory>

#include <CLI/CLI.hpp>

#include "caribou/commands.hpp"

namespace caribou::app {

/// `caribou mission expand`: expands templates of mission files.
class MissionExpand {
public:
    /// Adds the command to `mission`.
    explicit MissionExpand(CLI::App& mission);
    ~MissionExpand();
    MissionExpand(const MissionExpand&) = delete;
    MissionExpand& operator=(const MissionExpand&) = delete;

    bool parsed() const;
    Exit run();

private:
    struct Options;
    std::unique_ptr<Options> options_;
};

}  // namespace caribou::app
