// `caribou demo`: starts everything with one command: a broker, a station with its page and recorder, and
// robots in simulated rooms, each as a separate process.

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "caribou/demo_robot.hpp"
#include "caribou/local_access.hpp"
#include "caribou/number_from.hpp"
#include "caribou/program_as_started.hpp"
#include "caribou/program_group.hpp"
#include "caribou/share_place.hpp"
#include "platform/console_log.hpp"
#include "platform/scratch_folder.hpp"
#include "platform/socket_network.hpp"
#include "platform/system_processes.hpp"
#include "platform/text_file.hpp"
#include "station/api.hpp"

namespace caribou::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::uint16_t usual_port = 9680;
constexpr Duration start_limit = 20s;

class DemoCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand(
            "demo", "Shows all of it: a robot in a simulated room, and a page to see into it");
        parser->add_option("--robots", robots_, "How many")
            ->capture_default_str()
            ->check(whole_number_from(1, 200));
        parser
            ->add_option("-p,--port", port_,
                         "TCP port of the page; 0 takes any free one. Unless told, 9680 if it is free")
            ->check(whole_number_from(0, 65535));
        parser->add_option("--keep", keep_,
                           "A folder for logs and recordings; otherwise they go with the demo");
        parser->add_option("--seconds", seconds_, "End by itself after this time; 0 runs until Ctrl-C")
            ->capture_default_str()
            ->check(number_from(0, 86400));
        parser->footer(
            "Everything stays on this machine, and nothing of the Internet is needed.\n"
            "Examples:\n"
            "  caribou demo\n"
            "  caribou demo --robots 50\n"
            "  caribou demo --keep demo --port 8080");
        return parser;
    }

    Exit run() override {
        auto folder = work_folder();
        if (!folder) return complain(folder.error().message);
        const fs::path room = share_place("worlds/demo.toml");
        if (room.empty())
            return complain("worlds/demo.toml did not come with this program; install it again");

        const auto config = station_config(*folder);
        if (!config) return complain(config.error().message);
        ConsoleLog log(Level::warning);
        EventLoop loop;
        loop.stop_on_signals({SIGINT, SIGTERM, SIGHUP});
        SystemProcesses processes(loop);
        ProgramGroup base(loop, processes, base_programs(loop, log, *folder, *config));
        base.start();
        loop.run_until([&] { return base.address_after(page_words) && base.address_after(broker_words); },
                       start_limit);
        const auto page = base.address_after(page_words);
        const auto calls = base.address_after(station_words);
        const auto broker = base.address_after(broker_words);
        if (!page || !calls || !broker) return give_up(base);
        const auto token = find_local_token(*page);
        if (!token) {
            base.end();
            return complain(token.error().message);
        }

        const DemoPlace place{.folder = *folder, .room = room, .station = calls->port, .broker = *broker};
        auto programs = robot_programs(place);
        if (!programs) return complain(programs.error().message);
        ProgramGroup robots(loop, processes, std::move(*programs), ProgramGroup::WhenOneEnds::go_on);
        robots.show();
        robots.start();
        base.on_said([&](std::string_view line) { return start_again(robots, line); });
        tell(page_address(*page, *token), *broker);
        base.show();

        const auto end = loop.make_timer([&] { loop.stop(); });
        if (seconds_ > 0) end->arm(loop.clock().now() + from_seconds(seconds_));
        loop.run();
        return end_all(base, robots);
    }

private:
    static constexpr const char* page_words = "programs ask at http://";
    static constexpr const char* station_words = "robots call at ";
    static constexpr const char* broker_words = "community demo at ";

    Result<fs::path> work_folder() {
        if (!keep_.empty()) {
            std::error_code failed;
            fs::create_directories(keep_, failed);
            if (failed)
                return fail(Code::unavailable, fmt::format("--keep: {}: {}", keep_, failed.message()));
            return fs::absolute(keep_);
        }
        auto made = ScratchFolder::make("caribou-demo");
        if (!made) return fail(std::move(made.error()));
        scratch_ = std::move(*made);
        return scratch_->path();
    }

    /// Returns the requested port, or else the default one if it is free.
    std::uint16_t page_port(EventLoop& loop, Log& log) const {
        if (port_ >= 0) return static_cast<std::uint16_t>(port_);
        SocketNetwork network(
            loop, log, {.streams_below_listeners = bus::broker_descriptors(bus::BrokerLimits{}.max_clients)});
        const auto tried = network.listen(Address::ip("127.0.0.1", usual_port), [](auto) {});
        if (tried) return usual_port;
        fmt::print("Port {} is taken, so that the page has another one.\n", usual_port);
        return 0;
    }

    /// Records all views of a single robot; of a fleet, only watched ones.
    Result<fs::path> station_config(const fs::path& folder) const {
        fs::path config = folder / "station.toml";
        const bool alone = robots_ == 1;
        if (std::ofstream(config)
            << "[record]\nviews = ["
            << (alone ? R"("scan", "map", "plan", "behaviors", "cubes", "bus", "topics", "health")" : "")
            << "]\n")
            return config;
        return fail(Code::unavailable, fmt::format("cannot write {}", config.string()));
    }

    std::vector<bus::LaunchProgram> base_programs(EventLoop& loop, Log& log, const fs::path& folder,
                                                  const fs::path& config) const {
        const std::string self = own_program();
        return {{.name = "broker", .words = {self, "db", "--quiet", "--port", "0", "--community", "demo"}},
                {.name = "station",
                 .words = {self, "station", "--quiet", "--supervised", "--config", config, "--keys",
                           demo_keys(folder), "--listen", "127.0.0.1:0", "--web",
                           fmt::format("127.0.0.1:{}", page_port(loop, log)), "--record",
                           folder / "recordings"}}};
    }

    Result<std::vector<bus::LaunchProgram>> robot_programs(const DemoPlace& place) const {
        std::vector<bus::LaunchProgram> programs;
        for (std::size_t i = 1; i <= robots_; ++i) {
            const std::string name = demo_name(i, robots_);
            const fs::path config = place.folder / (name + ".toml");
            const auto written = write_text_file(config, demo_config(place, i, robots_));
            if (!written) return fail(written.error());
            programs.push_back({.name = name, .words = {own_program(), "robot", "--config", config}});
        }
        return programs;
    }

    void tell(const std::string& page, const Address& broker) const {
        fmt::print(
            "\n  Caribou is at  {}\n\n"
            "{} with two cubes and a charger. Try in the page:\n"
            "  Drive      take over, and hold the arrow keys; the space bar stops\n"
            "  Faults     cut the link: a robot that you drive stops by itself, and recovers\n"
            "  Behaviors  what it does, and why everything else sleeps\n"
            "The bus is at {}: `{} scope --port {}` shows it in a terminal. Ctrl-C ends all.\n",
            page,
            robots_ == 1 ? "A robot explores a simulated flat"
                         : fmt::format("{} robots explore, each a simulated flat", robots_),
            to_string(broker), program_as_started(), broker.port);
        std::fflush(stdout);
    }

    /// Handles the station's request to restart a robot. Returns false if the line is not one.
    static bool start_again(ProgramGroup& robots, std::string_view line) {
        const std::size_t at = line.find(station::start_again_words);
        if (at == std::string_view::npos) return false;
        const std::string_view name = line.substr(at + station::start_again_words.size());
        fmt::print("{}: {}\n", name, robots.start_again(name) ? "started again" : "runs already");
        std::fflush(stdout);
        return true;
    }

    Exit end_all(ProgramGroup& base, ProgramGroup& robots) const {
        const bool broken = base.broken() || robots.broken();
        base.hush();
        fmt::print("\nEnding.\n");
        std::fflush(stdout);
        auto failures = robots.end();
        for (std::string& each : base.end()) failures.push_back(std::move(each));
        for (const std::string& each : failures)
            fmt::print(stderr, "caribou demo: {} did not end well\n", each);
        if (!keep_.empty()) fmt::print("Logs and recordings are in {}.\n", keep_);
        return broken || !failures.empty() ? Exit::failed : Exit::ok;
    }

    Exit give_up(ProgramGroup& base) const {
        for (const std::string& line : base.said()) fmt::print(stderr, "{}\n", line);
        base.end();
        return complain("broker and station did not start");
    }

    static Exit complain(std::string_view why) {
        fmt::print(stderr, "caribou demo: {}\n", why);
        return Exit::failed;
    }

    std::size_t robots_ = 1;
    int port_ = -1;
    std::string keep_;
    double seconds_ = 0;
    std::unique_ptr<ScratchFolder> scratch_;
};

}  // namespace

std::unique_ptr<Command> make_demo_command() { return std::make_unique<DemoCommand>(); }

}  // namespace caribou::app
