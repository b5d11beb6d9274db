// `caribou station`: the ground station.

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "adapters/dds/topic_transport.hpp"
#include "adapters/recording/recording_thread.hpp"
#include "caribou/commands.hpp"
#include "caribou/station_keys.hpp"
#include "caribou/station_start.hpp"
#include "kit/program/key_place.hpp"
#include "kit/program/local_access.hpp"
#include "kit/program/number_from.hpp"
#include "kit/program/station_page.hpp"
#include "platform/background_log.hpp"
#include "platform/console_log.hpp"
#include "platform/descriptor_limit.hpp"
#include "platform/event_loop.hpp"
#include "platform/input_lines.hpp"
#include "platform/local_token.hpp"
#include "platform/socket_network.hpp"
#include "platform/terminal.hpp"
#include "platform/text_file.hpp"
#include "station/api.hpp"
#include "station/recordings.hpp"
#include "station/start_requests.hpp"
#include "station/station_config.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

class StationCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand(
            "station", "Run the station, which connects robots with the people who drive them");
        parser->add_option("-c,--config", config_, "Configuration file, TOML; see docs/station-config.md");
        parser->add_option("--listen", listen_, "Address that robots call, instead of the file's")
            ->check(network_address());
        place_.add_to(*parser);
        parser->add_flag("--plain", plain_, "Accept robots on this machine without keys");
        parser->add_option("--web", web_, "Address of the page and the API, instead of the file's")
            ->check(network_address());
        parser->add_option("--record", record_, "Folder for recordings, instead of the file's");
        parser->add_option("--replay", replay_, "Show this recording (.mcap) instead of robots");
        parser->add_option("--speed", speed_, "Speed of the replay")
            ->capture_default_str()
            ->check(
                number_from(station::RecordingPlayer::lowest_speed, station::RecordingPlayer::highest_speed));
        parser->add_flag(
            "--supervised", supervised_,
            "A supervisor reads the output, restarts a robot at the line `start again: NAME`, and writes\n"
            "`started: NAME: TEXT` or `not started: NAME: REASON` to standard input");
        parser->add_flag("--check-config", check_,
                         "Check the configuration file and all that the start needs, and exit");
        parser->add_flag("--print-config", print_, "Print every value with its origin, and exit");
        parser->add_flag("--config-page", page_, "Print docs/station-config.md, and exit");
        parser->add_flag("-q,--quiet", quiet_, "Log only warnings");
        parser->add_flag("-v,--verbose", verbose_, "Log everything");
        parser->footer(
            "Browsers, `caribou robots`, `send`, `drive`, `route` and other programs\n"
            "(docs/formats/station-api.md) use the address of --web. Ctrl-C stops the robots, then the "
            "station.\n"
            "Examples:\n"
            "  caribou station\n"
            "  caribou station --config field.toml --check-config\n"
            "  caribou station --record recordings\n"
            "  caribou station --replay recordings/20260101-120000-0001.mcap --speed 10");
        return parser;
    }

    Exit run() override {
        if (page_) return fmt::print("{}", station::station_config_page()), Exit::ok;
        const auto read = read_config();
        if (!read) {
            fmt::print(stderr, "{}", read.error().message);
            return Exit::failed;
        }
        if (print_) return fmt::print("{}", read->printed), Exit::ok;
        return check_ ? check(read->config) : serve(read->config);
    }

private:
    Result<station::ReadStationConfig> read_config() const {
        std::string text;
        if (!config_.empty()) {
            auto file = read_text_file(config_, 1_MiB);
            if (!file)
                return fail(file.error().code,
                            fmt::format("caribou station: --config: {}\n", file.error().message));
            text = std::move(*file);
        }
        auto read = station::read_station_config(text, config_);
        if (!read.faults.empty()) return fail(Code::invalid_argument, to_string(read.faults));
        station::StationConfig& config = read.config;
        if (!record_.empty()) config.record.folder = record_;
        if (plain_) config.plain = true;
        for (auto [option, address] : {std::pair(&listen_, &config.listen), {&web_, &config.web_listen}}) {
            if (option->empty()) continue;
            const auto given = Address::parse(*option);
            if (!given)
                return fail(given.error().code, fmt::format("caribou station: {}\n", given.error().message));
            if (!given->is_loopback())
                return fail(Code::refused,
                            "caribou station: an address that other machines can reach must be in the "
                            "configuration file\n");
            *address = *given;
        }
        if (config.plain && !config.listen.is_loopback())
            return fail(Code::refused,
                        "caribou station: without keys (`plain`), the address that robots call must be on "
                        "this machine\n");
        return read;
    }

    Exit check(const station::StationConfig& config) const {
        const auto faults = check_station_start(config, place_.folder(config.keys));
        for (const std::string& fault : faults) complain(fault);
        if (faults.empty()) fmt::print("{} is good.\n", config_.empty() ? "The default" : config_);
        return faults.empty() ? Exit::ok : Exit::failed;
    }

    Exit serve(const station::StationConfig& config) const {
        BackgroundLog log(std::make_unique<ConsoleLog>(quiet_     ? Level::warning
                                                       : verbose_ ? Level::debug
                                                                  : Level::info));
        if (auto raised = raise_descriptor_limit(); !raised) log.warning(raised.error().message);
        EventLoop loop;
        loop.stop_on_signals({SIGINT, SIGTERM});
        SocketNetwork network(loop, log);
        auto keys = StationKeys::open(config, place_.folder(config.keys), loop, network, log);
        if (!keys) return complain(keys.error().message);
        station::FleetSettings fleet = config.fleet;
        if (*keys) fleet.keys.emplace((*keys)->fleet());
        const auto topics =
            make_topic_transport(config.topics, config.fleet.session.station + "_views", loop, network, log);
        if (!topics) return complain(topics.error().message);
        station::Station station(loop, network, std::move(fleet), log, config.pilot);
        if (*topics) station.read_views_from((*topics)->transport());
        std::unique_ptr<RecordingThread> thread;
        std::unique_ptr<station::Recordings> recordings;
        if (!config.record.folder.empty()) {
            auto opened =
                RecordingThread::open(config.record.folder, {.limit = config.record.limit_mib * 1_MiB}, log);
            if (!opened) return complain(opened.error().message);
            thread = std::move(*opened);
            recordings = std::make_unique<station::Recordings>(
                loop, station, thread->disk(), *thread,
                station::RecordingsSettings{
                    .recorder = {.file_bytes = config.record.file_mib * 1_MiB, .views = config.record.views},
                    .limit = config.record.limit_mib * 1_MiB,
                    .camera_keep = from_seconds(config.record.camera_days * 86'400)},
                log);
            if (config.record.at_start) recordings->start();
        }
        std::unique_ptr<station::RecordingPlayer> replay;
        station::ApiSettings settings = config.api;
        settings.page = station_page(log);
        station::StartRequests starts(loop, [](const std::string& line) {
            fmt::print("caribou station: {}\n", line);
            std::fflush(stdout);
        });
        std::optional<InputLines> supervisor;
        if (supervised_) {
            supervisor.emplace(loop, [&](std::string_view line) { starts.take(line); });
            settings.start_again = [&](const std::string& robot, station::StartRequests::OnDone on_done) {
                starts.request(robot, std::move(on_done));
            };
        }
        station::StationApi api(loop, station, std::move(settings), log, recordings.get());
        if (!replay_.empty()) {
            auto opened = open_replay(loop);
            if (!opened) return complain(opened.error().message);
            replay = std::move(*opened);
            api.show(*replay);
            fmt::print("caribou station: replays the recording {}: no robot is live, commands are refused\n",
                       replay->name());
        } else {
            const auto robots = station.fleet().listen(config.listen);
            if (!robots) return complain(robots.error().message);
            // Scripts parse the ports from these lines.
            fmt::print("caribou station: robots call at {}\n", to_string(*robots));
        }
        const auto web = serve_web(loop, api, config.web_listen);
        if (!web) return complain(web.error().message);
        const auto token = open_local_token(loop, api, config.web_listen, (*web)->address(), log);
        const auto local = serve_local_programs(loop, api, (*web)->address(), log);
        fmt::print("caribou station: programs ask at http://{}/\n", to_string((*web)->address()));
        if (stdout_is_terminal() && token->token())
            fmt::print("caribou station: open {} in a browser to drive\n",
                       page_address((*web)->address(), token->token()->text()));
        std::fflush(stdout);
        if (replay) replay->play();
        loop.run();

        log.info(replay ? "ended by a signal" : "ended by a signal: stopping the robots");
        bool stopped = replay != nullptr;
        if (!replay) station.fleet().shut_down([&] { stopped = true; });
        loop.run_until([&] { return stopped; }, config.fleet.stop_limit + 1s);
        api.close_all("the station ends");
        loop.run_until([&] { return api.watchers() == 0; }, 1s);
        if (recordings) recordings->stop();
        return Exit::ok;
    }

    Result<std::unique_ptr<station::RecordingPlayer>> open_replay(Loop& loop) const {
        auto text = read_text_file(replay_, 4096_MiB);
        if (!text) return fail(text.error().code, "--replay: " + text.error().message);
        const auto kept = std::make_shared<const std::string>(std::move(*text));
        auto player = station::RecordingPlayer::open(loop, std::filesystem::path(replay_).stem().string(),
                                                     FileImage(bytes_of(*kept), kept));
        if (player) (*player)->set_speed(speed_);
        return player;
    }

    static Exit complain(std::string_view what) {
        fmt::print(stderr, "caribou station: {}\n", what);
        return Exit::failed;
    }

    KeyPlace place_;
    std::string config_;
    std::string listen_;
    std::string web_;
    std::string record_;
    std::string replay_;
    double speed_ = 1;
    bool check_ = false;
    bool print_ = false;
    bool page_ = false;
    bool supervised_ = false;
    bool plain_ = false;
    bool quiet_ = false;
    bool verbose_ = false;
};

}  // namespace

std::unique_ptr<Command> make_station_command() { return std::make_unique<StationCommand>(); }

}  // namespace caribou::app
