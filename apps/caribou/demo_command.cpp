// `caribou demo`: starts everything with one command: a broker, a station with its page and recorder, and
// robots in simulated rooms, each as a separate process.

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "bus/limits.hpp"
#include "caribou/commands.hpp"
#include "caribou/demo_robot.hpp"
#include "caribou/open_browser.hpp"
#include "caribou/program_as_started.hpp"
#include "caribou/program_group.hpp"
#include "kit/program/local_access.hpp"
#include "kit/program/number_from.hpp"
#include "kit/program/share_place.hpp"
#include "platform/console_log.hpp"
#include "platform/scratch_folder.hpp"
#include "platform/socket_network.hpp"
#include "platform/system_processes.hpp"
#include "platform/text_file.hpp"
#include "station/start_requests.hpp"

namespace caribou::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::uint16_t usual_port = 9680;
constexpr Duration start_limit = 20s;
constexpr std::size_t most_recorded = 10;  ///< of more robots, only watched views are recorded

class DemoCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("demo", "Run a robot in simulated rooms, its station, and the page");
        parser->add_option("--robots", robots_, "Number of robots")
            ->capture_default_str()
            ->check(whole_number_from(1, 200));
        parser
            ->add_option("-p,--port", port_,
                         "TCP port of the page; 0: any free port. Default: 9680 if it is free")
            ->check(whole_number_from(0, 65535));
        parser->add_option("--keep", keep_,
                           "Folder for logs and recordings; without it, they are deleted at the end");
        parser->add_option("--seconds", seconds_, "Exit after this time; 0: run until Ctrl-C")
            ->capture_default_str()
            ->check(number_from(0, 86400));
        parser->add_flag("--no-browser", no_browser_,
                         "Do not open the page; by default xdg-open does, in a terminal of a desktop");
        parser->footer(
            "All traffic stays on this machine; no Internet connection is needed.\n"
            "Examples:\n"
            "  caribou demo\n"
            "  caribou demo --robots 50\n"
            "  caribou demo --keep demo --port 8080");
        return parser;
    }

    Exit run() override {
        EventLoop loop;
        // From before the folder exists until it is removed, no signal ends this program by itself.
        loop.watch_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) { on_signal(loop); });
        const Exit exit = run_all(loop);
        scratch_.reset();
        return exit;
    }

private:
    static constexpr const char* page_words = "programs ask at http://";
    static constexpr const char* station_words = "robots call at ";
    static constexpr const char* broker_words = "community demo at ";

    Exit run_all(EventLoop& loop) {
        auto folder = work_folder();
        if (!folder) return complain(folder.error().message);
        const fs::path room = share_place("worlds/demo.toml");
        if (room.empty())
            return complain("worlds/demo.toml did not come with this program; install it again");

        const auto config = station_config(*folder);
        if (!config) return complain(config.error().message);
        ConsoleLog log(Level::warning);
        SystemProcesses processes(loop);
        ProgramGroup base(loop, processes, base_programs(loop, log, *folder, *config));
        on_hurry_ = [&] { base.kill(); };
        base.start();
        loop.run_until([&] { return base.address_after(page_words) && base.address_after(broker_words); },
                       start_limit);
        const auto page = base.address_after(page_words);
        const auto calls = base.address_after(station_words);
        const auto broker = base.address_after(broker_words);
        if (first_signal_) return end_all(base, nullptr);
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
        on_hurry_ = [&] { robots.kill(), base.kill(); };
        robots.show();
        robots.start();
        base.on_said([&](std::string_view line) { return start_again(base, robots, line); });
        tell(page_address(*page, *token), *broker);
        if (!no_browser_) open_browser(page_address(*page, *token));
        base.show();

        const auto end = loop.make_timer([&] { loop.stop(); });
        if (seconds_ > 0) end->arm(loop.clock().now() + from_seconds(seconds_));
        loop.run();
        return end_all(base, &robots);
    }

    /// The first signal ends everything in order, one that follows after a second kills the programs. Tools
    /// such as `timeout` send the same signal twice at once.
    void on_signal(EventLoop& loop) {
        const Instant now = loop.clock().now();
        if (!first_signal_) {
            first_signal_ = now;
            loop.stop();
        } else if (now - *first_signal_ > 1s && on_hurry_) {
            on_hurry_();
        }
    }

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

    /// Records all views of a single robot; of a few, what is needed to look at their maps; of many, only
    /// what is watched.
    Result<fs::path> station_config(const fs::path& folder) const {
        fs::path config = folder / "station.toml";
        const std::string_view views =
            robots_ == 1 ? R"("scan", "map", "plan", "behaviors", "cubes", "bus", "topics", "health")"
            : robots_ <= most_recorded ? R"("scan", "map", "plan")"
                                       : "";
        if (std::ofstream(config) << "[record]\nviews = [" << views << "]\n") return config;
        return fail(Code::unavailable, fmt::format("cannot write {}", config.string()));
    }

    std::vector<bus::LaunchProgram> base_programs(EventLoop& loop, Log& log, const fs::path& folder,
                                                  const fs::path& config) const {
        const std::string self = own_program();
        return {
            {.name = "broker", .words = {self, "db", "--quiet", "--port", "0", "--community", "demo"}},
            {.name = "station",
             .words = {self, "station", "--quiet", "--supervised", "--config", config, "--keys",
                       demo_keys(folder), "--listen", "127.0.0.1:0", "--web",
                       fmt::format("127.0.0.1:{}", page_port(loop, log)), "--record", folder / "recordings"},
             .reads_input = true}};
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
    static bool start_again(ProgramGroup& base, ProgramGroup& robots, std::string_view line) {
        const std::size_t at = line.find(station::start_again_words);
        if (at == std::string_view::npos) return false;
        const std::string name(line.substr(at + station::start_again_words.size()));
        robots.start_again(name, [&base, name](const Result<std::string>& outcome) {
            fmt::print("{}: {}\n", name,
                       outcome ? *outcome : "not started again: " + outcome.error().message);
            std::fflush(stdout);
            base.write("station", station::start_report(name, outcome));
        });
        return true;
    }

    /// `robots` is null before they are started.
    Exit end_all(ProgramGroup& base, ProgramGroup* robots) const {
        const bool broken = base.broken() || (robots && robots->broken());
        base.hush();
        fmt::print("\nEnding.\n");
        std::fflush(stdout);
        auto failures = robots ? robots->end() : std::vector<std::string>{};
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
    bool no_browser_ = false;
    std::unique_ptr<ScratchFolder> scratch_;
    std::optional<Instant> first_signal_;
    std::function<void()> on_hurry_;
};

}  // namespace

std::unique_ptr<Command> make_demo_command() { return std::make_unique<DemoCommand>(); }

}  // namespace caribou::app
