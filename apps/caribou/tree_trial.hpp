#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.hpp"
#include "behavior/recorder.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_graph.hpp"
#include "behavior/tree_reload.hpp"
#include "kit/robot/tree_world.hpp"

namespace caribou::app {

/// Options of a trial, for `tree run` and `tree explain`.
struct TrialOptions {
    std::vector<std::string> files{};
    std::uint64_t ticks = 100;
    std::string tick = "60ms";
    std::uint64_t seed = 1;
    std::vector<std::string> set{};  ///< NAME=VALUE
    std::vector<std::string> at{};   ///< TICK:NAME=VALUE
    std::vector<std::string> stand_ins{};
    std::vector<std::string> reload{};  ///< TICK:FILE: replaces the first file
};

/// Adds all options except for the files.
void add_trial_options(CLI::App& parser, TrialOptions& options);

/// A tree in a simulated world, running as fast as possible.
class Trial {
public:
    /// Fails with invalid_argument if the options are invalid, and with other codes if the tree cannot be
    /// loaded.
    static Result<std::unique_ptr<Trial>> make(const TrialOptions& options);

    /// Runs all ticks, and calls `seen` after each with the changes and with notes: texts of `say`, the
    /// results of reloading files, and the end of the base.
    using Seen = std::function<void(const behavior::Difference&, const std::vector<std::string>& notes)>;
    void run(const Seen& seen);

    const behavior::BehaviorRunner& runner() const { return *runner_; }
    ByteView recording() const { return recorder_->bytes(); }
    /// Returns the graph of the initial tree.
    const behavior::TreeGraph& graph() const { return graph_; }

private:
    struct Reload {
        std::uint64_t tick;
        std::string path;
    };

    explicit Trial(const std::vector<std::string>& stand_ins) : world_(stand_ins) {}
    Result<void> parse(const TrialOptions& options);
    Result<void> load(const TrialOptions& options);
    /// Applies the settings of the beginning, and checks those of later ticks.
    Result<void> set_facts(const std::vector<behavior::TreeText>& files);
    std::string take_file(const std::string& path);

    FakeWorld world_;
    std::uint64_t ticks_ = 0;
    Duration tick_{0};
    std::vector<FactSetting> first_settings_;
    std::vector<TimedSetting> settings_;
    std::vector<Reload> reloads_;
    behavior::TreeGraph graph_;
    std::unique_ptr<behavior::BehaviorRunner> runner_;
    std::unique_ptr<behavior::Recorder> recorder_;
    std::unique_ptr<behavior::TreeReload> reload_;
};

}  // namespace caribou::app
