#include "caribou/process_watch_app.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/words.hpp"
#include "bus/app_settings.hpp"
#include "bus/launch_plan.hpp"
#include "caribou/stand_ins.hpp"
#include "kit/bus/mission_reader.hpp"

namespace caribou::app {
namespace {

std::string warning_of(const bus::ProcessWatch::Process& process) {
    return fmt::format("Process [{}] is missing.", process.name);
}

Result<void> check_watch_all(std::string_view text) {
    if (text == "true" || text == "antler" || text == "false") return {};
    return fail(Code::invalid_argument, fmt::format("expected true, antler or false, found `{}`", text));
}

Result<void> check_mapping(std::string_view text) {
    if (parts_of_lists({std::string(text)}).size() == 2) return {};
    return fail(Code::invalid_argument, fmt::format("expected two names A,B, found `{}`", text));
}

}  // namespace

ProcessWatchApp::ProcessWatchApp(bus::AppFrame& frame, std::string mission_file)
    : App(frame), mission_file_(std::move(mission_file)) {
    auto& words = parameters();
    words.add("watch_all", watch_all_, check_watch_all,
              "true: every program that was seen; antler: those of the block ANTLER; false: only `watch`");
    words.add("watch", watch_, "programs to watch: APP or APP*, with :VAR to publish true or false in VAR");
    words.add("nowatch", nowatch_, "programs not to watch: APP or APP*");
    words.add("summary_wait", summary_wait_, {-1, 86400},
              "seconds between two summaries; -1: whenever something changes");
    words.add("allow_retractions", allow_retractions_, "retract the warning of a program that is back");
    words.add("post_mapping", post_mapping_, check_mapping, "A,B: publish B instead of A");
    appcast([this] { return process_watch_->table(); });
}

Result<void> ProcessWatchApp::on_start_up() {
    for (const std::string& mapping : post_mapping_) {
        const auto names = parts_of_lists({mapping});
        mapping_[names[0]] = names[1];
    }
    auto launched = launched_programs();
    if (!launched) return fail(std::move(launched.error()));
    process_watch_.emplace(bus::ProcessWatch::Settings{.own_name = settings().client_name,
                                                       .watch_all = watch_all_ == "true",
                                                       .launched = std::move(*launched),
                                                       .watch = parts_of_lists(watch_),
                                                       .nowatch = parts_of_lists(nowatch_)});
    return {};
}

Result<void> ProcessWatchApp::on_connect_to_server() {
    register_variable("DB_CLIENTS");
    publish("PROC_WATCH_TIME_WARP", settings().time_warp);
    return {};
}

Result<void> ProcessWatchApp::on_new_mail(std::span<const wire::Message> mail) {
    for (const wire::Message& message : mail)
        if (message.key == "DB_CLIENTS") on_clients(message.payload);
    return {};
}

Result<void> ProcessWatchApp::iterate() {
    if (summary_wait_ >= 0 && now() >= next_summary_) {
        next_summary_ = now() + from_seconds(summary_wait_);
        publish("PROC_WATCH_SUMMARY", process_watch_->summary());
    }
    return {};
}

Result<std::vector<std::string>> ProcessWatchApp::launched_programs() const {
    std::vector<std::string> names;
    if (mission_file_.empty() || watch_all_ == "false") return names;
    const auto mission = read_mission_file(mission_file_);
    if (!mission) return fail(mission.error());
    if (!mission->find_block("ANTLER") && !mission->find_block("program")) return names;
    const auto plan = bus::plan_launch(*mission, {"caribou"});
    if (!plan) return fail(plan.error());
    for (const auto& program : plan->programs)
        if (program.name != "MOOSDB" && !left_out_for(program))
            names.push_back(program.name.substr(0, program.name.find('#')));
    return names;
}

template <class Value>
void ProcessWatchApp::publish(const std::string& variable, const Value& value) {
    const auto mapped = mapping_.find(variable);
    notify(mapped == mapping_.end() ? variable : mapped->second, value);
}

void ProcessWatchApp::on_clients(std::string_view list) {
    const auto changes = process_watch_->on_clients(list);
    for (const auto* process : changes.appeared) {
        const std::string event = fmt::format("Noted to be present: [{}]", process->name);
        publish("PROC_WATCH_EVENT", event);
        add_event(event);
        if (allow_retractions_) retract_run_warning(warning_of(*process));
        if (!process->variable.empty()) publish(process->variable, "true");
    }
    for (const auto* process : changes.vanished) {
        publish("PROC_WATCH_EVENT", warning_of(*process));
        add_event("PROC_WATCH_EVENT: " + warning_of(*process));
        add_run_warning(warning_of(*process));
        if (!process->variable.empty()) publish(process->variable, "false");
    }
    if (changes.appeared.empty() && changes.vanished.empty()) return;
    if (summary_wait_ < 0) publish("PROC_WATCH_SUMMARY", process_watch_->summary());
    publish("PROC_WATCH_FULL_SUMMARY", process_watch_->full_summary());
    if (const bool ok = process_watch_->all_present(); ok != last_ok_) {
        last_ok_ = ok;
        publish("PROC_WATCH_ALL_OK", ok ? "true" : "false");
    }
}

}  // namespace caribou::app
