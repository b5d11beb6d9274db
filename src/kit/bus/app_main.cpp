#include "kit/bus/app_main.hpp"

#include <csignal>
#include <cstdio>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "kit/bus/mission_reader.hpp"
#include "kit/bus/process_probe.hpp"
#include "kit/bus/threaded_comms.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/hostname.hpp"
#include "platform/socket_network.hpp"

namespace caribou {
namespace {

using Wish = bus::AppCommandLine::Wish;

constexpr int exit_ok = 0;
constexpr int exit_failed = 1;
constexpr int exit_usage = 2;

/// Mission file that MOOS apps read by default; it may be missing.
constexpr const char* default_mission = "Mission.moos";

int complain(std::string_view name, std::string_view what, int code) {
    fmt::print(stderr, "{}: {}\n", name, what);
    return code;
}

Result<bus::Mission> mission_for(const bus::AppCommandLine& line) {
    auto mission = read_mission_file(line.mission.value_or(default_mission));
    if (!mission && !line.mission && mission.error().code == Code::not_found) return bus::Mission{};
    return mission;
}

/// Forwards warnings and errors only.
class QuietLog final : public Log {
public:
    explicit QuietLog(Log& below) : below_(below) {}
    void write(Level level, std::string_view text) override {
        if (!quiet || level >= Level::warning) below_.write(level, text);
    }
    bool quiet = false;

private:
    Log& below_;
};

int run(bus::AppFrame& frame, bus::App& app, EventLoop& loop, std::string_view name) {
    std::optional<Error> why;
    bool ended = false;
    frame.on_end([&](const std::optional<Error>& error) {
        why = error;
        ended = true;
        loop.stop();
    });
    if (auto started = frame.start(app, {.hostname = hostname()}); !started)
        return complain(name, started.error().message, exit_failed);
    loop.run();
    if (!ended) {  // by a signal
        frame.finish();
        loop.run_until([&] { return ended; }, std::chrono::seconds(2));
    }
    return why ? complain(name, why->message, exit_failed) : exit_ok;
}

}  // namespace

int run_app(int argc, char** argv, std::string name, AppMaker make) {
    return run_app(argc, argv, bus::AppSettings{.name = std::move(name)},
                   [&](bus::AppFrame& frame, Network&) { return make(frame); });
}

int run_app(int argc, char** argv, bus::AppSettings defaults, NetworkAppMaker make) {
    const std::string name = defaults.name;
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const auto line = bus::parse_app_command_line(words);
    if (!line) return complain(name, line.error().message + "\nSee `--help`.", exit_usage);
    if (line->wish == Wish::help) return fmt::print("{}", bus::app_help(name)), exit_ok;
    if (line->wish == Wish::version) return fmt::print("caribou " CARIBOU_VERSION "\n"), exit_ok;

    ConsoleLog console;
    QuietLog log(console);
    EventLoop loop;
    loop.stop_on_signals({SIGINT, SIGTERM});
    SystemProcessProbe probe;
    SocketNetwork network(loop, log);
    bus::AppFrame frame(loop, std::make_unique<ThreadedComms>(loop, log), probe, log, std::move(defaults));
    const auto app = make(frame, network);
    if (line->wish == Wish::example) return fmt::print("{}", frame.parameters().example(name)), exit_ok;

    const auto mission = mission_for(*line);
    if (!mission) return complain(name, mission.error().message, exit_usage);
    const auto warnings = frame.configure(*line, *mission);
    if (!warnings) return complain(name, warnings.error().message, exit_usage);
    if (line->wish == Wish::parameters)
        return fmt::print("{}", frame.parameters().values(frame.settings().name)), exit_ok;
    log.quiet = frame.settings().quiet;
    for (const std::string& warning : *warnings) log.warning(warning);
    return run(frame, *app, loop, name);
}

}  // namespace caribou
