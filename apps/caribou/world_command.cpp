// `caribou world`: checks worlds for simulated robots.

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "adapters/png/png_file.hpp"
#include "caribou/commands.hpp"
#include "caribou/world_serve.hpp"
#include "kit/program/number_from.hpp"
#include "platform/text_file.hpp"
#include "world/world.hpp"
#include "world/world_picture.hpp"
#include "world/world_reader.hpp"

namespace caribou::app {
namespace {

class WorldCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("world", "Show, check, make and serve worlds for simulated robots");
        parser_->footer("See docs/world.md for what a world contains, docs/formats/world.md for the format.");
        show_ = parser_->add_subcommand("show", "Draw a world");
        show_->add_option("FILE", files_, "World file, .toml")->required()->expected(1);
        show_->add_option("--columns", columns_, "Width in characters")
            ->check(whole_number_from(20, 400))
            ->capture_default_str();
        show_->add_option("--png", png_, "Write a picture to this file instead");
        show_->add_option("--scale", scale_, "Pixels per meter, with --png")
            ->check(whole_number_from(5, 400))
            ->capture_default_str();
        check_ = parser_->add_subcommand("check", "Report all errors in world files");
        check_->add_option("FILE", files_, "World files to check")->required();
        new_ = parser_->add_subcommand("new", "Print a random room with furniture");
        new_->add_option("--seed", seed_, "Seed of the room")->capture_default_str();
        new_->add_option("--side", side_, "Length of a side, in meters")
            ->check(number_from(4, 50))
            ->capture_default_str();
        serve_ = parser_->add_subcommand("serve", "Run a world for robots of other processes");
        serve_->add_option("FILE", files_, "World file, .toml")->required()->expected(1);
        serve_->add_option("--socket", serve_options_.socket, "Path of the Unix socket, made with mode 0600")
            ->required();
        serve_->add_option(
            "--trace", serve_options_.trace,
            "Append each changed order to this file: microseconds, robot, left, right, reason");
        drive_ =
            parser_->add_subcommand("drive", "Drive a robot of a served world; the driver of `body.command`");
        drive_->add_option("PATH", socket_, "The socket of `caribou world serve`")->required();
        drive_->add_option("NAME", name_, "The robot in that world")->required();
        return parser_;
    }

    Exit run() override {
        if (show_->parsed()) return show();
        if (check_->parsed()) return check_files();
        if (new_->parsed()) {
            fmt::print("{}", world::world_text(world::random_room(seed_, side_)));
            return Exit::ok;
        }
        if (serve_->parsed()) return serve();
        if (drive_->parsed()) return drive_in_world(socket_, name_);
        fmt::print("{}", parser_->help());
        return Exit::usage;
    }

private:
    static std::optional<NamedText> file_at(const std::string& path) {
        auto text = read_text_file(path);
        if (text) return NamedText{path, std::move(*text)};
        fmt::print(stderr, "caribou world: {}\n", text.error().message);
        return std::nullopt;
    }

    static std::optional<world::WorldPlan> plan_in(const NamedText& file) {
        auto plan = world::read_world(file);
        if (plan) return std::move(*plan);
        fmt::print(stderr, "{}", to_string(plan.error()));
        return std::nullopt;
    }

    Exit check_files() const {
        Exit worst = Exit::ok;
        for (const std::string& path : files_) {
            const auto file = file_at(path);
            if (const auto script = file ? world::read_faults(*file) : std::vector<world::Fault>{};
                script && !script->empty()) {
                fmt::print("{}: a script of {} faults\n", path, script->size());
                continue;
            }
            const auto plan = file ? plan_in(*file) : std::nullopt;
            if (!plan) {
                worst = Exit::failed;
                continue;
            }
            fmt::print(
                "{}: {} x {} m, {} walls, {} boxes, {} obstacles, {} cubes, {}, {} starts, {} faults\n", path,
                plan->size.x, plan->size.y, plan->walls.size(), plan->boxes.size(), plan->obstacles.size(),
                plan->cubes.size(), plan->charger ? "a charger" : "no charger", plan->starts.size(),
                plan->faults.size());
        }
        return worst;
    }

    Exit serve() const {
        const auto file = file_at(files_.front());
        auto plan = file ? plan_in(*file) : std::nullopt;
        if (!plan) return Exit::failed;
        return serve_world(std::move(*plan), files_.front(), serve_options_);
    }

    Exit show() const {
        const auto file = file_at(files_.front());
        const auto plan = file ? plan_in(*file) : std::nullopt;
        if (!plan) return Exit::failed;
        world::World world(*plan);
        for (const Pose& start : plan->starts) static_cast<void>(world.add_robot({}, start));
        if (png_.empty()) {
            fmt::print("{}{}", world::text_picture(world, columns_), world::legend());
            return Exit::ok;
        }
        if (const auto written = write_png(png_, world::picture(world, scale_)); !written) {
            fmt::print(stderr, "caribou world show: {}\n", written.error().message);
            return Exit::failed;
        }
        fmt::print("{}\n", png_);
        return Exit::ok;
    }

    CLI::App* parser_ = nullptr;
    CLI::App* show_ = nullptr;
    CLI::App* check_ = nullptr;
    CLI::App* new_ = nullptr;
    CLI::App* serve_ = nullptr;
    CLI::App* drive_ = nullptr;
    WorldServeOptions serve_options_;
    std::string socket_;
    std::string name_;
    std::vector<std::string> files_;
    std::string png_;
    std::size_t columns_ = 80;
    double scale_ = 50;
    std::uint64_t seed_ = 1;
    double side_ = 10;
};

}  // namespace

std::unique_ptr<Command> make_world_command() { return std::make_unique<WorldCommand>(); }

}  // namespace caribou::app
