// `caribou tree explain`: explains why a behavior is not active, in a trial or in a recording.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "behavior/explain.hpp"
#include "behavior/recording_format.hpp"
#include "caribou/tree_commands.hpp"
#include "caribou/tree_trial.hpp"
#include "kit/robot/tree_files.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

using namespace behavior;

class TreeExplainCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("explain", "Explain why a behavior is not active");
        parser
            ->add_option(
                "FILE", options_.files,
                "The files of a tree, which is run first; or a recording, followed by the tree's files if "
                "you have them")
            ->required();
        parser->add_option("-b,--behavior", behavior_, "The id of the behavior")->required();
        parser->add_option("--after", tick_, "Tick to explain; default: the last one");
        add_trial_options(*parser, options_);
        return parser;
    }

    Exit run() override {
        const auto first = read_text_file(options_.files.front());
        if (!first) return complain(first.error());
        return first->starts_with(recording_magic) ? explain_recording(*first) : explain_trial();
    }

private:
    static Exit complain(const Error& error) {
        fmt::print(stderr, "caribou tree explain: {}\n", error.message);
        return error.code == Code::invalid_argument ? Exit::usage : Exit::failed;
    }

    Exit explain_trial() {
        if (tick_ && *tick_ < options_.ticks) options_.ticks = *tick_;
        auto trial = Trial::make(options_);
        if (!trial) return complain(trial.error());
        (*trial)->run([](const Difference&, const std::vector<std::string>&) {});
        return explain_bytes((*trial)->recording(), &(*trial)->graph());
    }

    Exit explain_recording(const std::string& text) {
        std::optional<TreeGraph> graph;
        const std::vector<std::string> tree_files(options_.files.begin() + 1, options_.files.end());
        if (!tree_files.empty()) {
            const FakeWorld world(options_.stand_ins);
            const auto loaded = load_tree_files(tree_files, world.classes());
            if (!loaded) return complain(loaded.error());
            graph = graph_of(*loaded->tree, loaded->plan.base);
        }
        return explain_bytes(bytes_of(text), graph ? &*graph : nullptr);
    }

    Exit explain_bytes(ByteView bytes, const TreeGraph* graph) {
        const auto recording = Recording::read(bytes);
        if (!recording) return complain(recording.error());
        Replay replay(*recording);
        const std::uint64_t tick = tick_ ? *tick_ : recording->ticks().back().tick;
        if (auto found = replay.seek(tick); !found) return complain(found.error());
        const auto lines = explain(replay, behavior_, graph);
        if (!lines) return complain(lines.error());
        fmt::print("after tick {}:\n", tick);
        for (const std::string& line : *lines) fmt::print("{}\n", line);
        return Exit::ok;
    }

    TrialOptions options_;
    std::string behavior_;
    std::optional<std::uint64_t> tick_;
};

}  // namespace

std::unique_ptr<Command> make_tree_explain_command() { return std::make_unique<TreeExplainCommand>(); }

}  // namespace caribou::app
