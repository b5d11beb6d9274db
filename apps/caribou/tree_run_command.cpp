// `caribou tree run`: tries a tree in a world of named values.

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "behavior/explain.hpp"
#include "caribou/tree_commands.hpp"
#include "caribou/tree_trial.hpp"
#include "kit/robot/tree_files.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

using namespace behavior;

std::string stack_text(std::span<Behavior* const> stack) {
    std::string text;
    for (const Behavior* active : stack) text += (text.empty() ? "" : " > ") + active->id();
    return text.empty() ? "(nothing)" : text;
}

std::string json_list(const std::vector<std::string>& texts) {
    std::string text = "[";
    for (const std::string& item : texts) text += (text.size() > 1 ? ", " : "") + json_quoted(item);
    return text + "]";
}

class TreeRunCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("run", "Try a tree without a robot");
        parser->add_option("FILE", options_.files, "The files of one tree")->required();
        add_trial_options(*parser, options_);
        parser->add_option("--record", record_, "Write a recording to this file, for explain and replay");
        parser->add_flag("-v,--verbose", verbose_, "Print every change, not just the stack");
        parser->add_flag("--json", json_, "Print one JSON object for each tick in which something changed");
        return parser;
    }

    Exit run() override {
        auto trial = Trial::make(options_);
        if (!trial) {
            const bool is_usage = trial.error().code == Code::invalid_argument;
            fmt::print(stderr, "{}{}\n", is_usage ? "caribou tree run: " : "", trial.error().message);
            return is_usage ? Exit::usage : Exit::failed;
        }
        (*trial)->run([&](const Difference& difference, const std::vector<std::string>& notes) {
            json_ ? print_json(difference, notes) : print_text(difference, notes);
        });
        if (!json_) print_sleepers((*trial)->runner());
        if (record_.empty()) return Exit::ok;
        const auto written = write_text_file(record_, text_of((*trial)->recording()));
        if (!written) fmt::print(stderr, "caribou tree run: {}\n", written.error().message);
        return written ? Exit::ok : Exit::failed;
    }

private:
    void print_text(const Difference& difference, const std::vector<std::string>& notes) {
        const std::string stack = stack_text(difference.stack);
        if (stack != last_stack_ || !notes.empty() || (verbose_ && !difference.changes.empty()))
            fmt::print("{:>6} {:>9.3f} s  {}\n", difference.tick,
                       to_seconds(difference.now.time_since_epoch()), stack);
        last_stack_ = stack;
        for (const std::string& note : notes) fmt::print("{:20}{}\n", "", note);
        if (!verbose_) return;
        for (const Change& change : difference.changes)
            fmt::print("{:20}{}\n", "", describe(change, difference.tree));
    }

    static void print_json(const Difference& difference, const std::vector<std::string>& notes) {
        if (difference.changes.empty() && notes.empty()) return;
        std::vector<std::string> stack;
        for (const Behavior* active : difference.stack) stack.push_back(active->id());
        std::vector<std::string> changes;
        for (const Change& change : difference.changes) changes.push_back(describe(change, difference.tree));
        fmt::print(R"({{"tick": {}, "seconds": {}, "stack": {}, "changes": {}, "notes": {}}})"
                   "\n",
                   difference.tick, to_seconds(difference.now.time_since_epoch()), json_list(stack),
                   json_list(changes), json_list(notes));
    }

    /// Prints why the other behaviors are not active.
    static void print_sleepers(const BehaviorRunner& runner) {
        for (std::size_t i = 0; i < runner.tree().size(); ++i) {
            const Behavior& behavior = runner.tree()[i];
            const Wants answer = runner.why_not(behavior);
            if (behavior.state() == Behavior::State::in_scope && answer.gate() > Gate::active)
                fmt::print("{} sleeps: {}\n", behavior.id(), sentence({0, answer.gate(), answer.why_not()}));
        }
    }

    TrialOptions options_;
    std::string record_;
    bool verbose_ = false;
    bool json_ = false;
    std::string last_stack_;
};

}  // namespace

std::unique_ptr<Command> make_tree_run_command() { return std::make_unique<TreeRunCommand>(); }

}  // namespace caribou::app
