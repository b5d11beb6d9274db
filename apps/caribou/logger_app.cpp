#include "caribou/logger_app.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/words.hpp"
#include "bus/app_settings.hpp"
#include "bus/wildcard.hpp"
#include "kit/bus/mission_reader.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

constexpr Duration flush_interval = std::chrono::seconds(1);
constexpr std::string_view logger_command = "PLOGGER_CMD";
constexpr std::string_view restart_variable = "LOGGER_RESTART";
constexpr std::string_view system_variables[] = {"MOOS_DEBUG", "MOOS_SYSTEM"};

bool matches_one(const std::vector<std::string>& patterns, std::string_view name) {
    return std::ranges::any_of(patterns, [&](const auto& one) { return bus::glob_matches(one, name); });
}

}  // namespace

LoggerApp::LoggerApp(bus::AppFrame& frame, std::string mission_file)
    : App(frame), mission_file_(std::move(mission_file)) {
    declare_words();
    appcast([this] { return report_text(); });
}

void LoggerApp::declare_words() {
    auto& words = parameters();
    words.add("Path", path_, "folder for the folders of logs; default: the present one");
    words.add("File", file_, "name of the logs");
    words.add("FileTimeStamp", file_time_stamp_, "append date and time to the name");
    words.add("UTCLogDirectories", utc_folders_, "in UTC, not local time");
    words.add("AsyncLog", async_log_, "write the .alog: every value");
    words.add("SyncLog", sync_log_, bus::check_by(bus::parse_sync_log),
              "write the .slog: true @ SECONDS, a line with all columns per tick");
    words.add("Log", log_words_, bus::check_by(bus::parse_logged_variable),
              "a variable: VAR @ SECONDS [NOSYNC]");
    words.add("WildCardLogging", wildcard_logging_,
              "log all variables; default: without Log and WildCardPattern");
    words.add("WildCardPattern", patterns_, "patterns of variables, separated by commas");
    words.add("WildCardOmitPattern", omitted_, "patterns of variables that are not logged");
    words.add("WildCardExclusionLog", exclusion_log_, "write the omitted variables to the .xlog");
    words.add("LogAuxSrc", aux_source_, "source column SOURCE:AUX");
    words.add("MarkExternalCommunityMessages", mark_external_, "source column SOURCE@COMMUNITY");
    words.add("MarkDataType", mark_type_, "D:, S: or B: in front of each value");
    words.add("DoublePrecision", decimals_, {0, 20}, "decimals in the .slog, and if given in the .alog");
    words.add("LoggingDirectorySummaryFile", summary_file_, "file that names the last folder; may be empty");
    words.add_unsupported("CompressAlogs");
    words.add_unsupported("DynamicSyncLogColumns");
}

LoggerApp::~LoggerApp() {
    if (!session_) return;
    if (auto finished = session_->finish(); !finished) log().error(finished.error().message);
}

Result<void> LoggerApp::on_start_up() {
    const auto interval = bus::parse_sync_log(sync_log_);
    if (!interval) return fail(interval.error().code, "SyncLog: " + interval.error().message);
    sync_interval_ = *interval;
    for (const std::string& word : log_words_) variables_.push_back(bus::parse_logged_variable(word).value());
    patterns_ = parts_of_lists(patterns_);
    omitted_ = parts_of_lists(omitted_);
    const bool logs_all = wildcard_logging_ || (variables_.empty() && patterns_.empty() &&
                                                !parameters().is_set("WildCardLogging"));
    if (patterns_.empty() && logs_all) patterns_ = {"*"};
    if (path_.empty() && !mission_file_.empty()) {
        const auto mission = read_mission_file(mission_file_);
        if (mission)
            if (const auto* const global = mission->find("GlobalLogPath")) path_ = global->value;
    }
    return open_session();
}

std::string LoggerApp::time_text() const {
    if (!file_time_stamp_) return "";
    const auto seconds = static_cast<std::time_t>(stamp() / settings().time_warp);
    const std::tm date = utc_folders_ ? fmt::gmtime(seconds) : fmt::localtime(seconds);
    return fmt::format("_{}_{}_{}_____{:%H_%M_%S}", date.tm_mday, date.tm_mon + 1, date.tm_year + 1900, date);
}

LogSession::Options LoggerApp::options() {
    LogSession::Options all{.path = path_.empty() ? "." : path_,
                            .name = file_,
                            .time_text = time_text(),
                            .has_alog = async_log_,
                            .has_xlog = exclusion_log_,
                            .decimals = decimals_,
                            .style = {.marks_types = mark_type_, .opened = stamp() / settings().time_warp},
                            .mission_file = mission_file_};
    if (parameters().is_set("DoublePrecision")) all.style.decimals = decimals_;
    if (sync_interval_ == Duration::zero()) return all;
    all.columns.emplace();
    for (const bus::LoggedVariable& variable : variables_)
        if (variable.is_column) all.columns->push_back(variable.name);
    return all;
}

Result<void> LoggerApp::open_session() {
    if (session_) std::ignore = session_->finish();
    session_.reset();
    auto session = LogSession::open(options(), now(), stamp());
    if (!session) return fail(std::move(session.error()));
    session_ = std::move(*session);
    next_flush_ = now() + flush_interval;
    next_tick_ = now() + sync_interval_;
    log().info("logging to " + session_->folder());
    if (!summary_file_.empty())
        if (auto written =
                write_text_file(summary_file_, "LastOpenedLoggingDirectory=" + session_->folder() + "\n");
            !written)
            log().warning(written.error().message);
    return {};
}

void LoggerApp::register_logged(const bus::LoggedVariable& variable) {
    register_variable(variable.name, variable.interval);
}

Result<void> LoggerApp::on_connect_to_server() {
    for (const std::string& pattern : patterns_) register_wildcard(pattern, "*");
    for (const bus::LoggedVariable& variable : variables_) register_logged(variable);
    for (const std::string_view variable : system_variables) register_variable(variable);
    register_variable(logger_command);
    register_variable(restart_variable);
    notify("LOGGER_DIRECTORY", session_ ? session_->folder() : "");
    return {};
}

Result<void> LoggerApp::on_new_mail(std::span<const wire::Message> mail) {
    Result<void> done;
    for (const wire::Message& message : mail)
        if (auto taken = take(message); !taken) done = std::move(taken);
    return done;
}

bool LoggerApp::is_logged(const std::string& variable) const {
    return std::ranges::any_of(variables_, [&](const auto& one) { return one.name == variable; }) ||
           (matches_one(patterns_, variable) && !matches_one(omitted_, variable));
}

Result<void> LoggerApp::take(const wire::Message& message) {
    if (message.key == restart_variable && is_new(message)) {
        if (auto opened = open_session(); !opened) return opened;
        notify("LOGGER_DIRECTORY", session_->folder());
    }
    if (message.key == logger_command && is_new(message))
        if (auto obeyed = obey(message); !obeyed) return obeyed;
    if (!session_) return {};
    if (std::ranges::find(system_variables, std::string_view(message.key)) != std::end(system_variables))
        if (auto added = checked(session_->add_system(wire::view(message), now(), stamp())); !added)
            return added;
    return log_value(message);
}

Result<void> LoggerApp::log_value(const wire::Message& message) {
    if (!session_) return {};
    wire::Message changed = message;
    if (!aux_source_) changed.aux.clear();
    if (mark_external_ && message.community != comms().community())
        (changed.aux.empty() ? changed.source : changed.aux) += "@" + message.community;
    if (is_logged(message.key)) return checked(session_->add(wire::view(changed), now(), stamp()));
    if (!matches_one(patterns_, message.key)) return {};
    ++omitted_values_;
    return checked(session_->add_omitted(wire::view(changed), now(), stamp()));
}

Result<void> LoggerApp::obey(const wire::Message& command) {
    const auto request = bus::parse_logger_request(command.payload);
    if (!request)
        return fail(request.error().code,
                    fmt::format("{}, from {}: {}", command.key, command.source, request.error().message));
    if (!request->file.empty()) {
        if (!session_) return {};
        if (auto copied = session_->copy(request->file); !copied) return copied;
        add_event("copied " + request->file);
        return {};
    }
    if (!is_logged(request->variable.name)) {
        variables_.push_back(request->variable);
        register_logged(variables_.back());
    }
    return {};
}

Result<void> LoggerApp::iterate() {
    if (!session_) return {};
    if (now() >= next_flush_) {
        next_flush_ = now() + flush_interval;
        if (auto flushed = checked(session_->flush()); !flushed) return flushed;
    }
    while (session_ && sync_interval_ > Duration::zero() && now() >= next_tick_) {
        next_tick_ = std::max(next_tick_, now() - sync_interval_) + sync_interval_;
        if (auto ticked = checked(session_->tick(stamp())); !ticked) return ticked;
    }
    return {};
}

Result<void> LoggerApp::checked(Result<void> done) {
    if (done) return done;
    session_.reset();
    return fail(done.error().code, done.error().message +
                                       "; logging has ended, and what was written before is intact. Write " +
                                       std::string(restart_variable) + " to start again");
}

std::string LoggerApp::report_text() const {
    if (!session_) return "Logging has ended after an error.\n";
    return fmt::format("Folder: {}\n{} values logged, {} omitted\n", session_->folder(), session_->values(),
                       omitted_values_);
}

}  // namespace caribou::app
