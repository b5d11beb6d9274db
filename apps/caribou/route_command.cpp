// `caribou route`: waypoints for a robot's autopilot.

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "caribou/station_link.hpp"
#include "kit/program/number_from.hpp"
#include "platform/text_file.hpp"
#include "station/route.hpp"

namespace caribou::app {
namespace {

class RouteCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("route", "Load and drive routes of waypoints");
        parser->require_subcommand(1);
        CLI::App* const load =
            add_action(*parser, "load", "Give a robot a route: points X,Y in meters, or a file");
        load->add_option("--file", file_, "Route file; see docs/formats/route.md");
        load->footer(
            "Examples:\n"
            "  caribou route load rover 1,0 -1.5,2 0,0          points X,Y in meters\n"
            "  caribou route load rover --file patrol.toml");
        load->allow_extras();  // points, some of which start with a minus
        load_ = load;
        load->add_option("--rounds", route_.rounds, "Number of rounds; 0: until it is aborted")
            ->capture_default_str()
            ->check(whole_number_from(0, station::RouteLimits::rounds));
        load->add_option("--level", route_.level, "Highest speed, from 1 to 3")
            ->capture_default_str()
            ->check(whole_number_from(1, station::RouteLimits::level));
        add_action(*parser, "start", "Drive the route from its first point");
        add_action(*parser, "pause", "Halt, and remember the next point");
        add_action(*parser, "resume", "Continue a paused route");
        add_action(*parser, "abort", "Halt, and end the route");
        add_action(*parser, "clear", "Remove the route");
        add_action(*parser, "show", "Print the points, the progress, and why it does not drive");
        parser->footer(
            "The robot must be in RM3, and not be driven by another person.\n"
            "Examples:\n"
            "  caribou route load rover 1,0 -1.5,2 0,0 --rounds 3\n"
            "  caribou route load rover --file patrol.toml\n"
            "  caribou route start rover\n"
            "  caribou route show rover");
        return parser;
    }

    Exit run() override {
        StationLink link("route", station_);
        std::string text;
        if (action_ == "load") {
            auto route = route_text();
            if (!route) return link.complain(route.error().message, Exit::usage);
            text = std::move(*route);
        }
        if (auto connected = link.connect(); !connected) return link.complain(connected.error().message);
        if (action_ == "show") return show(link);
        id_ = link.send_route(robot_, action_, text);
        link.on_news([&] { hear(link); });
        return link.run();
    }

private:
    CLI::App* add_action(CLI::App& parser, const std::string& name, const std::string& what) {
        CLI::App* const action = parser.add_subcommand(name, what);
        action->add_option("ROBOT", robot_, "Name of the robot")->required();
        add_station_options(*action, station_);
        action->callback([this, name] { action_ = name; });
        return action;
    }

    Result<std::string> route_text() const {
        const std::vector<std::string> points = load_->remaining();
        if (file_.empty() == points.empty())
            return fail(Code::invalid_argument, "expected either points, such as 1,2, or --file FILE");
        if (!file_.empty()) {
            auto text = read_text_file(file_, 256_KiB);
            if (!text) return text;
            if (auto route = station::read_route(*text, file_); !route) return fail(route.error());
            return text;
        }
        station::Route route = route_;
        for (const std::string& point : points) {
            const auto read = station::read_point(point);
            if (!read) return fail(read.error());
            route.points.push_back(*read);
        }
        return to_string(route);
    }

    Exit show(StationLink& link) const {
        const auto& robots = link.picture().robots();
        const auto found = robots.find(robot_);
        if (found == robots.end())
            return link.complain(
                fmt::format("the station knows no robot `{}`; `caribou robots` lists them", robot_));
        if (!found->second.route) {
            fmt::print("{} has no route\n", robot_);
            return Exit::ok;
        }
        const data::Route& route = *found->second.route;
        fmt::print("{}: {}, {}{}{}\n", robot_, route.name, to_string(route.state),
                   route.why.empty() ? "" : ": ", route.why);
        for (std::size_t i = 0; i < route.points.size(); ++i)
            fmt::print("{} {:>3}  {:.2f},{:.2f}\n", i == route.next ? ">" : " ", i + 1, route.points[i].x,
                       route.points[i].y);
        return Exit::ok;
    }

    void hear(StationLink& link) const {
        for (const data::AnswerMessage& answer : link.picture().take_answers()) {
            if (answer.id != id_ || !answer.final) continue;
            const bool refused = answer.kind == data::AnswerKind::refused;
            fmt::print(refused ? stderr : stdout, "{}\n", station::to_string(answer));
            return link.end(refused ? Exit::failed : Exit::ok);
        }
        if (!link.connected()) link.end(link.complain("the station has gone before it answered"));
    }

    StationOptions station_;
    std::string action_;
    std::string robot_;
    std::string file_;
    const CLI::App* load_ = nullptr;
    station::Route route_;
    std::uint64_t id_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_route_command() { return std::make_unique<RouteCommand>(); }

}  // namespace caribou::app
