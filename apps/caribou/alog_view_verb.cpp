#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "caribou/alog_files.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/log_source.hpp"
#include "caribou/marine_page.hpp"
#include "caribou/quantity.hpp"
#include "kit/bus/mission_reader.hpp"
#include "kit/program/number_from.hpp"
#include "kit/program/station_page.hpp"
#include "marine/node_report.hpp"
#include "marine/replay.hpp"
#include "platform/event_loop.hpp"
#include "platform/http_server.hpp"

namespace caribou::app {
namespace {

constexpr std::string_view view_name = "alog view";

/// Returns the name of the vehicle that wrote the log: of its first node report, or else of the file.
std::string vehicle_of(const std::string& path, std::string_view text) {
    wire::AlogReader reader(text);
    while (const auto entry = reader.next())
        if (entry->variable == "NODE_REPORT_LOCAL")
            if (const auto report = marine::parse_node_report(entry->text)) return report->name;
    return std::filesystem::path(path).stem().string();
}

}  // namespace

AlogViewVerb::AlogViewVerb(CLI::App& alog)
    : parser_(alog.add_subcommand("view", "Show vehicles and shapes of logs on a chart, with a time line")) {
    parser_
        ->add_option("FILE", files_, "Logs of one or more vehicles; LABEL=FILE names the community of a log")
        ->required();
    parser_->add_option("--mission", mission_,
                        "Mission file with the origin and the block pMarineViewer of the view");
    parser_->add_option("--web", port_, "Port of the page on this machine; 0: any free port")
        ->capture_default_str()
        ->check(number_from(0, 65535));
    parser_->footer(
        "Prints the address of the page, and serves it until Ctrl-C. Example:\n"
        "  caribou alog view abe.alog ben.alog --mission shore.moos");
}

Exit AlogViewVerb::run() const {
    std::vector<LogSource> sources;
    std::vector<marine::ReplayLog> logs;
    sources.reserve(files_.size());
    for (const std::string& word : files_) {
        const std::size_t equals = word.find('=');
        const std::string path = equals == std::string::npos ? word : word.substr(equals + 1);
        auto source = LogSource::open(path);
        if (!source) return complain(view_name, source.error().message, Exit::failed);
        sources.push_back(std::move(*source));
        const std::string_view text = sources.back().text();
        logs.push_back({equals == std::string::npos ? vehicle_of(path, text) : word.substr(0, equals), text});
    }
    bus::Mission mission;
    if (!mission_.empty()) {
        auto read = read_mission_file(mission_);
        if (!read) return complain(view_name, read.error().message, Exit::failed);
        mission = std::move(*read);
    }
    marine::ViewConfig config = marine_view_config(mission);
    for (const auto& finding : config.findings) fmt::print(stderr, "{}\n", bus::to_string(mission_, finding));
    auto replay = marine::replay_events(logs, config);
    if (!replay) return complain(view_name, replay.error().message, Exit::failed);
    if (replay->events.empty())
        return complain(view_name, "the logs contain neither NODE_REPORT_LOCAL nor VIEW_ variables",
                        Exit::failed);
    if (config.shown.community.empty())
        config.shown.community = logs.size() == 1 ? logs[0].community : "Replay";
    config.shown.start = replay->start;
    config.shown.end = replay->end;

    ConsoleLog log(Level::warning);
    EventLoop loop;
    loop.stop_on_signals({SIGINT, SIGTERM});
    const std::size_t count = replay->events.size();
    MarinePage page(marine::ViewFeed(std::move(config), std::move(replay->events)), station_page(log));
    auto web = HttpServer::listen(loop, Address::ip("127.0.0.1", port_), [&](const WebRequest& request) {
        auto answer = page.answer(request, 0);
        if (answer) return std::move(*answer);
        if (request.target == "/") return WebAnswer{.status = 303, .location = "/marine"};
        return WebAnswer{.status = 404, .type = "text/plain; charset=utf-8", .body = "Not found."};
    });
    if (!web) return complain(view_name, web.error().message, Exit::failed);
    const std::string address = fmt::format("http://{}/marine", to_string((*web)->address()));
    fmt::print(
        "caribou alog view: {} events of {} logs{}\n", count_text(count), logs.size(),
        page.has_files() ? " at " + address : ", but no page to show them: its files are not installed");
    std::fflush(stdout);
    loop.run();
    return Exit::ok;
}

}  // namespace caribou::app
