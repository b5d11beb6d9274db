// `caribou cubes`: tries cubes without a robot.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "caribou/cubes_trial.hpp"
#include "caribou/number_from.hpp"
#include "caribou/robot_ask.hpp"
#include "loop/duration_text.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

class CubesCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("cubes", "Cubes: find, connect, light up and watch one of your own");
        parser_->footer("docs/cubes.md explains cubes, docs/formats/cube-lights.md files of lights.");
        add("list", "List the cubes in range", [this] { return list(); });
        add("status", "Connect, and show all there is to see", [this] { return status(); });
        add("watch", "Tell everything that happens; with --do, also make it happen",
            [this] { return watch(); });
        CLI::App* connect = add("connect", "Connect by hand, and see what the coordinator makes of it",
                                [this] { return story({{"connect " + address_}}, 40s); });
        connect->add_option("ADDRESS", address_, "The cube; without it, the preferred or the strongest");
        add("disconnect", "Disconnect by hand, and see what the coordinator makes of it",
            [this] { return after_connecting("interactable", {"disconnect"}, 5s); });
        add("forget", "Prefer no cube any more", [this] { return story({{"forget"}}, 0s); });
        CLI::App* prefer =
            add("prefer", "Look for this cube first", [this] { return story({{"prefer " + address_}}, 0s); });
        prefer->add_option("ADDRESS", address_, "The cube, as `list` writes it")->required();
        add("flash", "Blink white, to find a cube in a room",
            [this] { return after_connecting("background", {"flash"}, 4s); });
        CLI::App* lights = add("lights", "Play a file of lights", [this] { return play(); });
        lights->add_option("FILE", file_, "As docs/formats/cube-lights.md describes it")->required();
        CLI::App* subscribe =
            add("subscribe", "Hold a cube, and see how it comes and goes", [this] { return hold(); });
        subscribe->add_option("NAME", name_, "Who needs it")->capture_default_str();
        subscribe->add_flag("--background", background_, "Silently: without lights");
        subscribe->add_option("--expires", expires_, "How long it is needed; 30s unless given");
        ask_.emplace(*parser_, link::CommandCode::cubes,
                     "Ask a robot that runs: status, subscribe NAME, lights FILE, …");
        return parser_;
    }

    Exit run() override {
        if (ask_->parsed()) return ask_->run();
        for (const Verb& verb : verbs_)
            if (verb.parser->parsed()) return run(verb);
        fmt::print("{}", parser_->help());
        return Exit::usage;
    }

private:
    using Done = Result<void>;
    struct Verb {
        CLI::App* parser;
        std::function<Done()> run;
    };

    CLI::App* add(const std::string& name, const std::string& about, std::function<Done()> run) {
        CLI::App* const verb = parser_->add_subcommand(name, about);
        verb->add_option("--radio", options_.radio, "Which radio; bluez is the real one")
            ->check(one_of({"simulated", "bluez", "none"}))
            ->capture_default_str();
        verb->add_option("--preference", options_.preference,
                         "Where the preferred cube is remembered; without it, in the user's state directory");
        verb->add_option("--do", options_.doings,
                         "A command at a time, such as 12s:tap; may be repeated. docs/cubes.md lists them");
        verb->add_option("--for", time_, "How long, such as 30s");
        verb->add_flag("--real-time", options_.real_time,
                       "Let time pass as it does, also for the simulated radio");
        verbs_.push_back({verb, std::move(run)});
        return verb;
    }

    Exit run(const Verb& verb) {
        const std::string name = "caribou cubes " + verb.parser->get_name();
        Done done;
        if (!time_.empty() && !duration_from(time_))
            done = fail(Code::invalid_argument,
                        fmt::format("--for: `{}` is no time; one is written 30s", time_));
        if (done) {
            auto trial = CubesTrial::make(options_);
            if (!trial)
                done = fail(trial.error());
            else
                trial_ = std::move(*trial);
        }
        if (done) done = verb.run();
        if (done) return Exit::ok;
        const std::string& message = done.error().message;
        const bool is_listing = message.ends_with('\n');  // errors of a file, each with its position
        fmt::print(stderr, "{}{}{}", is_listing ? "" : name + ": ", message, is_listing ? "" : "\n");
        return done.error().code == Code::invalid_argument ? Exit::usage : Exit::failed;
    }

    Duration time_or(Duration usual) const { return duration_from(time_).value_or(usual); }

    Done print(const std::string& command) {
        const auto answer = trial_->silent_command(command);
        if (!answer) return fail(answer.error());
        fmt::print("{}", *answer);
        return {};
    }

    /// Executes the commands one after another, then lets time pass.
    Done story(const std::vector<std::string>& commands, Duration usual) {
        for (const std::string& command : commands)
            if (auto done = trial_->command(command); !done) return done;
        return trial_->run(time_or(usual));
    }

    Done after_connecting(const std::string& type, const std::vector<std::string>& commands, Duration usual) {
        if (auto done = trial_->command("subscribe cli " + type); !done) return done;
        if (auto done = trial_->run_until_connected(); !done) return done;
        trial_->show_leds();
        return story(commands, usual);
    }

    Done list() {
        trial_->be_silent();
        if (auto done = story({"scan"}, 16s); !done) return done;
        return print("list");
    }

    Done status() {
        trial_->be_silent();
        if (auto done = trial_->command("subscribe cli"); !done) return done;
        if (auto done = trial_->run_until_connected(); !done) return done;
        if (auto done = trial_->run(time_or(1s)); !done) return done;
        return print("status");
    }

    Done watch() {
        trial_->show_leds();
        if (!options_.doings.empty()) return story({}, 60s);
        return story({"subscribe cli interactable 25s"}, 80s);
    }

    Done play() {
        if (auto done = trial_->command("lights \"" + file_ + "\""); !done) return done;
        return after_connecting("background", {}, 4s);
    }

    Done hold() {
        // Longer than a scan, which takes 15 s if no cube is preferred yet.
        const std::string expires = expires_.empty() ? "30s" : expires_;
        const std::string type = background_ ? " background " : " interactable ";
        if (auto done = trial_->command("subscribe " + name_ + type + expires); !done) return done;
        return trial_->run(time_or(duration_from(expires).value_or(0s) + 60s));
    }

    CLI::App* parser_ = nullptr;
    std::vector<Verb> verbs_;
    std::optional<RobotAsk> ask_;
    CubesOptions options_;
    std::string time_;
    std::string address_;
    std::string file_;
    std::string name_ = "cli";
    std::string expires_;
    bool background_ = false;
    std::unique_ptr<CubesTrial> trial_;
};

}  // namespace

std::unique_ptr<Command> make_cubes_command() { return std::make_unique<CubesCommand>(); }

}  // namespace caribou::app
