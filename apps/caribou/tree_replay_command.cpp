// `caribou tree replay`: prints a recording tick by tick, or all of one tick.

#include <cstdio>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "behavior/explain.hpp"
#include "caribou/tree_commands.hpp"
#include "kit/robot/tree_files.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

using namespace behavior;

std::string stack_text(const Replay& replay) {
    std::string text;
    for (const Who who : replay.state().stack)
        text += fmt::format("{}{}", text.empty() ? "" : " > ", replay.id(who));
    return text.empty() ? "(nothing)" : text;
}

ChangeNames names_in(const Replay& replay) {
    return {[&](Who who) { return std::string(replay.id(who)); },
            [&](Who who, std::uint32_t number) { return std::string(replay.condition_text(who, number)); }};
}

class TreeReplayCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("replay", "Print what a recording contains");
        parser->add_option("RECORDING", file_, "File written by `tree run --record` or `tree record`")
            ->required();
        parser->add_option("--tick", tick_, "Show the complete state after this tick");
        parser->add_flag("-v,--verbose", verbose_, "Print every change, not just the stack");
        return parser;
    }

    Exit run() override {
        const auto text = read_text_file(file_);
        if (!text) return complain(text.error());
        const auto recording = Recording::read(bytes_of(*text));
        if (!recording) return complain({recording.error().code, file_ + ": " + recording.error().message});
        if (recording->cut_off()) fmt::print(stderr, "{} was cut off; this is what it holds\n", file_);
        Replay replay(*recording);
        if (tick_) {
            if (auto found = replay.seek(*tick_); !found) return complain(found.error());
            print_moment(replay);
            return Exit::ok;
        }
        for (bool more = true; more; more = replay.step()) print_tick(replay);
        return Exit::ok;
    }

private:
    static Exit complain(const Error& error) {
        fmt::print(stderr, "caribou tree replay: {}\n", error.message);
        return Exit::failed;
    }

    static void print_line(const Replay& replay) {
        fmt::print("{:>6} {:>9.3f} s  {}\n", replay.tick()->tick,
                   to_seconds(replay.tick()->now.time_since_epoch()), stack_text(replay));
    }

    void print_tick(const Replay& replay) {
        if (!replay.tick()) return;
        const std::string stack = stack_text(replay);
        const bool is_news = stack != last_stack_ || (verbose_ && !replay.tick()->changes.empty());
        last_stack_ = stack;
        if (is_news) print_line(replay);
        if (!verbose_) return;
        for (const Change& change : replay.tick()->changes)
            fmt::print("{:20}{}\n", "", describe(change, names_in(replay)));
    }

    static void print_moment(const Replay& replay) {
        const ReplayState& state = replay.state();
        print_line(replay);
        for (const Who who : state.in_scope) {
            const auto refused = state.refused.find(who);
            const std::string standing = state.is_active(who) ? "is active"
                                         : refused != state.refused.end()
                                             ? "sleeps: " + sentence(refused->second)
                                             : "is in scope";
            fmt::print("{} {}\n", replay.id(who), standing);
            for (const auto& [key, holds] : state.conditions)
                if (key.first == who)
                    fmt::print("  {}: {}\n", replay.condition_text(who, key.second),
                               holds ? "holds" : "does not hold");
        }
    }

    std::string file_;
    std::optional<std::uint64_t> tick_;
    bool verbose_ = false;
    std::string last_stack_;
};

}  // namespace

std::unique_ptr<Command> make_tree_replay_command() { return std::make_unique<TreeReplayCommand>(); }

}  // namespace caribou::app
