// `caribou process-watch`: publishes which programs of a community are missing, as uProcessWatch does.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/trimmed.hpp"
#include "bus/launch_plan.hpp"
#include "bus/process_watch.hpp"
#include "caribou/commands.hpp"
#include "caribou/own_app.hpp"
#include "kit/bus/mission_reader.hpp"

namespace caribou::app {
namespace {

constexpr const char* watch_app_name = "uProcessWatch";

std::vector<std::string> split_lists(const std::vector<std::string>& lists) {
    std::vector<std::string> all;
    for (const std::string& list : lists)
        for (const auto part : std::views::split(list, ','))
            if (const auto word = trimmed(std::string_view(part.begin(), part.end())); !word.empty())
                all.emplace_back(word);
    return all;
}

class ProcessWatchApp final : public bus::App {
public:
    /// `mission_file` may be empty.
    ProcessWatchApp(bus::AppFrame& frame, std::string mission_file)
        : App(frame), host_(frame), mission_file_(std::move(mission_file)) {
        auto& words = parameters();
        words.add(
            "watch_all", watch_all_,
            "true: every program that was seen; antler: those of the block ANTLER; false: only `watch`");
        words.add("watch", watch_,
                  "programs to watch: APP or APP*, with :VAR to publish true or false in VAR");
        words.add("nowatch", nowatch_, "programs not to watch: APP or APP*");
        words.add("summary_wait", summary_wait_, {-1, 86400},
                  "seconds between two summaries; -1: whenever something changes");
        words.add("allow_retractions", allow_retractions_, "retract the warning of a program that is back");
        words.add("post_mapping", post_mapping_, "A,B: publish B instead of A");
        appcast([this] { return process_watch_->table(); });
    }

    Result<void> on_start_up() override {
        if (watch_all_ != "true" && watch_all_ != "antler" && watch_all_ != "false")
            return fail(Code::invalid_argument,
                        fmt::format("watch_all is `{}`; expected true, antler or false", watch_all_));
        for (const std::string& mapping : post_mapping_) {
            const auto names = split_lists({mapping});
            if (names.size() != 2)
                return fail(Code::invalid_argument,
                            fmt::format("post_mapping is `{}`; expected two names: A,B", mapping));
            mapping_[names[0]] = names[1];
        }
        auto launched = launched_programs();
        if (!launched) return fail(std::move(launched.error()));
        process_watch_.emplace(bus::ProcessWatch::Settings{.own_name = host_.settings().client_name,
                                                           .watch_all = watch_all_ == "true",
                                                           .launched = std::move(*launched),
                                                           .watch = split_lists(watch_),
                                                           .nowatch = split_lists(nowatch_)});
        return {};
    }

    Result<void> on_connect_to_server() override {
        register_variable("DB_CLIENTS");
        publish_warp();
        return {};
    }

    Result<void> on_new_mail(std::span<const wire::Message> mail) override {
        for (const wire::Message& message : mail)
            if (message.key == "DB_CLIENTS") on_clients(message.payload);
        return {};
    }

    Result<void> iterate() override {
        if (summary_wait_ >= 0 && now() >= next_summary_) {
            next_summary_ = now() + from_seconds(summary_wait_);
            publish("PROC_WATCH_SUMMARY", process_watch_->summary());
        }
        return {};
    }

private:
    /// Returns the names of the programs of the block ANTLER.
    Result<std::vector<std::string>> launched_programs() const {
        std::vector<std::string> names;
        if (mission_file_.empty() || watch_all_ == "false") return names;
        const auto mission = read_mission_file(mission_file_);
        if (!mission) return fail(mission.error());
        if (!mission->find_block("ANTLER") && !mission->find_block("program")) return names;
        const auto plan = bus::plan_launch(*mission, {"caribou"});
        if (!plan) return fail(plan.error());
        for (const auto& program : plan->programs)
            if (program.name != "MOOSDB") names.push_back(program.name.substr(0, program.name.find('#')));
        return names;
    }

    void publish(const std::string& variable, std::string_view value) {
        const auto mapped = mapping_.find(variable);
        notify(mapped == mapping_.end() ? variable : mapped->second, value);
    }
    void publish_warp() {
        const auto mapped = mapping_.find("PROC_WATCH_TIME_WARP");
        notify(mapped == mapping_.end() ? "PROC_WATCH_TIME_WARP" : mapped->second,
               host_.settings().time_warp);
    }

    void on_clients(std::string_view list) {
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

    static std::string warning_of(const bus::ProcessWatch::Process& process) {
        return fmt::format("Process [{}] is missing.", process.name);
    }

    bus::AppFrame& host_;
    std::string mission_file_;
    std::string watch_all_ = "true";
    std::vector<std::string> watch_;
    std::vector<std::string> nowatch_;
    std::vector<std::string> post_mapping_;
    double summary_wait_ = -1;
    bool allow_retractions_ = true;

    std::map<std::string, std::string> mapping_;
    std::optional<bus::ProcessWatch> process_watch_;
    std::optional<bool> last_ok_;
    Instant next_summary_{};
};

class ProcessWatchCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ =
            program.add_subcommand("process-watch", "Publish which programs of a community are missing");
        parser_->set_help_flag();  // the options are those of an app
        parser_->prefix_command();
        return parser_;
    }

    Exit run() override {
        std::vector<std::string> words = parser_->remaining();
        const auto line = bus::parse_app_command_line(words);
        const std::string mission = line ? line->mission.value_or("") : "";
        return run_own_app(std::move(words), {.name = watch_app_name}, [&](bus::AppFrame& frame, Network&) {
            return std::make_unique<ProcessWatchApp>(frame, mission);
        });
    }

    std::unique_ptr<bus::App> make_app(bus::AppFrame& frame, Network&) const override {
        return std::make_unique<ProcessWatchApp>(frame, "");
    }

private:
    CLI::App* parser_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_process_watch_command() { return std::make_unique<ProcessWatchCommand>(); }

}  // namespace caribou::app
