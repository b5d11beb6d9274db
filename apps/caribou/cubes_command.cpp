// `caribou cubes`: tries cubes without a robot.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "caribou/cubes_trial.hpp"
#include "kit/program/number_from.hpp"
#include "kit/robot/robot_ask.hpp"
#include "loop/duration_text.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

class CubesCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("cubes", "Find, connect, light up and watch cubes");
        parser_->footer("docs/cubes.md explains cubes, docs/formats/cube-lights.md files of lights.");
        add("list", "List the cubes in range", [this] { return list(); });
        add("status", "Connect, and print everything that is known about the cube",
            [this] { return status(); });
        add("watch", "Print everything that happens; --do runs commands meanwhile",
            [this] { return watch(); });
        CLI::App* connect = add("connect", "Connect by hand, and print what the coordinator does",
                                [this] { return story({{"connect " + address_}}, 40s); });
        connect->add_option("ADDRESS", address_,
                            "Address of the cube; default: the preferred or the strongest one");
        add("disconnect", "Disconnect by hand, and print what the coordinator does",
            [this] { return after_connecting("interactable", {"disconnect"}, 5s); });
        add("forget", "Delete the preferred cube", [this] { return story({{"forget"}}, 0s); });
        CLI::App* prefer = add("prefer", "Set the cube to connect to first",
                               [this] { return story({{"prefer " + address_}}, 0s); });
        prefer->add_option("ADDRESS", address_, "Address of the cube, as printed by `list`")->required();
        add("flash", "Blink white, so that the cube can be found in a room",
            [this] { return after_connecting("background", {"flash"}, 4s); });
        CLI::App* lights = add("lights", "Play a file of lights", [this] { return play(); });
        lights->add_option("FILE", file_, "The format is in docs/formats/cube-lights.md")->required();
        CLI::App* subscribe =
            add("subscribe", "Hold a cube, and print how its connection changes", [this] { return hold(); });
        subscribe->add_option("NAME", name_, "Name of the subscriber")->capture_default_str();
        subscribe->add_flag("--background", background_, "Do not show lights on the cube");
        subscribe->add_option("--expires", expires_, "How long it is needed; default: 30s");
        ask_.emplace(*parser_, link::CommandCode::cubes,
                     "Send a request to a running robot: status, subscribe NAME, lights FILE, …");
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
                        fmt::format("--for: `{}` is not a duration; expected one such as 30s", time_));
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
