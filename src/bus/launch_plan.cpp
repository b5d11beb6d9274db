#include "bus/launch_plan.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest.hpp"
#include "base/trimmed.hpp"
#include "bus/parameters.hpp"

namespace caribou::bus {
namespace {

using Kind = MissionFinding::Kind;

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(at), text.size());
        if (const auto part = trimmed(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Options of a Run line that concern the windows of pAntler.
constexpr std::array<std::string_view, 3> ignored_options{"NewConsole", "XConfig", "Win32Config"};
constexpr std::array<std::string_view, 4> used_options{"InhibitMOOSParams", "ExtraProcessParams", "Path",
                                                       "Restart"};

bool is_ignored(std::string_view option) {
    return std::ranges::any_of(ignored_options,
                               [&](std::string_view known) { return same_key(option, known); });
}

/// Returns "; did you mean ...?" for a misspelled option, otherwise an empty string.
std::string meant_by(const std::string& option) {
    std::vector<std::string> known(ignored_options.begin(), ignored_options.end());
    known.insert(known.end(), used_options.begin(), used_options.end());
    const auto meant = nearest(option, known);
    return meant ? fmt::format("; did you mean `{}`?", *meant) : "";
}

class LaunchPlanner {
public:
    LaunchPlanner(const Mission& mission, const std::vector<std::string>& broker)
        : mission_(mission), broker_(broker), findings_(mission.findings) {}

    /// Returns the program that reads a block, once the programs have been read.
    std::string program_of(std::string_view block) const {
        for (const LaunchProgram& program : plan_.programs) {
            if (program.words.empty()) continue;
            const bool is_own = program.words.size() > 1 && file_name(program.words[0]) == own_name;
            const auto arguments = std::span(program.words).subspan(is_own ? 2 : 1);
            if (std::ranges::any_of(arguments, [&](const auto& word) { return same_key(word, block); }))
                return file_name(program.words[is_own ? 1 : 0]);
        }
        return std::string(block);
    }
    std::string read_program_of(std::string_view block) {
        read_programs();
        return program_of(block);
    }

    /// Returns what is wrong with the parts of the mission that concern a launch.
    std::vector<MissionFinding> check() {
        findings_.clear();
        read();
        return std::move(findings_);
    }

    Result<LaunchPlan> plan() {
        read();
        if (plan_.programs.empty() && !has_errors(findings_))
            findings_.push_back(
                {Kind::error, 1,
                 "nothing to launch; expected `Run = …` in a block ANTLER, or `[[program]]`"});
        if (has_errors(findings_)) return fail(Code::invalid_argument, error_lines(mission_.path, findings_));
        plan_.warnings = std::move(findings_);
        return std::move(plan_);
    }

private:
    void read() {
        read_programs();
        find_macros(mission_.settings, Kind::error);
        for (const MissionBlock& block : mission_.blocks)
            if (!has_own_macros(program_of(block.name)))
                find_macros(block.settings, same_key(block.name, "ANTLER") ? Kind::error : Kind::warning);
        std::ranges::stable_sort(findings_, {}, &MissionFinding::line);
    }

    void read_programs() {
        if (const MissionBlock* block = mission_.find_block("ANTLER")) read_antler(*block);
        if (const MissionBlock* block = mission_.find_block("launch")) read_launch(*block);
        for (const MissionBlock& block : mission_.blocks)
            if (same_key(block.name, "program")) read_program(block);
    }

    void error(std::size_t line, std::string text) {
        findings_.push_back({Kind::error, line, std::move(text)});
    }
    void fill(Parameters& parameters, const MissionBlock& block) {
        for (auto& finding : parameters.fill(block.settings)) findings_.push_back(std::move(finding));
    }
    Restart restart_in(std::string_view text, std::size_t line) {
        if (same_key(text, "never")) return Restart::never;
        if (same_key(text, "on-failure")) return Restart::on_failure;
        if (same_key(text, "always")) return Restart::always;
        error(line, fmt::format("restart is `{}`; expected `never`, `on-failure` or `always`", text));
        return Restart::never;
    }

    void read_antler(const MissionBlock& block) {
        double milliseconds = 0;
        double grace = to_seconds(plan_.grace);
        std::string restart = "never";
        std::vector<std::string> runs;
        Parameters parameters;
        parameters.add("MSBetweenLaunches", milliseconds, {0, 60'000}, "");
        parameters.add("ExecutablePath", path_, "");
        parameters.add("Grace", grace, {0, 600}, "");
        parameters.add("Restart", restart, "");
        // The other settings are Run lines and the argument lists that they refer to.
        MissionBlock own{.name = block.name, .line = block.line};
        for (const MissionSetting& setting : block.settings)
            if (parameters.knows(setting.key)) own.settings.push_back(setting);
        fill(parameters, own);
        question_words(block, parameters);
        plan_.between = from_seconds(milliseconds / 1000);
        plan_.grace = from_seconds(grace);
        default_restart_ = restart_in(restart, block.line);
        for (const MissionSetting& setting : block.settings)
            if (same_key(setting.key, "Run")) read_run(block, setting);
    }

    /// Warns about the words of a block ANTLER that nothing uses.
    void question_words(const MissionBlock& block, const Parameters& parameters) {
        const std::vector<std::string> known{"Run", "MSBetweenLaunches", "ExecutablePath", "Grace",
                                             "Restart"};
        const auto is_list = [&](const std::string& key) {
            return std::ranges::any_of(block.settings, [&](const MissionSetting& run) {
                return same_key(run.key, "Run") && run.value.contains(key);
            });
        };
        for (const MissionSetting& setting : block.settings) {
            if (same_key(setting.key, "Run") || parameters.knows(setting.key) || is_list(setting.key))
                continue;
            const auto meant = nearest(setting.key, known);
            findings_.push_back({Kind::warning, setting.line,
                                 fmt::format("`{}` has no effect here{}", setting.key,
                                             meant ? fmt::format("; did you mean `{}`?", *meant) : "")});
        }
    }

    /// Returns whether `$(X)` in a block is for the program: a place on the chart, or a drawn number.
    static bool has_own_macros(std::string_view block) {
        return same_key(block, "pMarineViewer") || same_key(block, "uTimerScript");
    }

    /// Reports macros of templates that were not expanded: an error where the launch itself needs the value.
    void find_macros(const std::vector<MissionSetting>& settings, Kind kind) {
        for (const MissionSetting& setting : settings)
            if (setting.value.contains("$(") || setting.value.contains("%("))
                findings_.push_back({kind, setting.line,
                                     fmt::format("{} is `{}`, a macro that was not expanded; see `caribou "
                                                 "mission expand`",
                                                 setting.key, setting.value)});
    }

    /// Parses `PROGRAM @ option = value, option = value ~ NAME`.
    void read_run(const MissionBlock& block, const MissionSetting& run) {
        const std::size_t tilde = run.value.rfind('~');
        const std::string front = run.value.substr(0, tilde);
        const std::size_t at = front.find('@');
        const std::string program(trimmed(front.substr(0, at)));
        if (program.empty()) return error(run.line, "`Run = PROGRAM` needs a program");
        LaunchProgram planned{.name = program, .restart = default_restart_};
        if (tilde != std::string::npos) planned.name = trimmed(run.value.substr(tilde + 1));
        if (planned.name.empty()) return error(run.line, "`~` must be followed by the name at the broker");

        bool moos_arguments = true;
        std::vector<std::string> more;
        std::string path = path_;
        if (at != std::string::npos)
            for (const std::string& option : split(front.substr(at + 1), ',')) {
                const std::size_t equals = option.find('=');
                const std::string key(trimmed(option.substr(0, equals)));
                const std::string value(
                    equals == std::string::npos ? "" : trimmed(std::string_view(option).substr(equals + 1)));
                if (is_ignored(key)) continue;
                if (same_key(key, "InhibitMOOSParams")) {
                    moos_arguments = !same_key(value, "true");
                } else if (same_key(key, "ExtraProcessParams")) {
                    const MissionSetting* list = block.find(value);
                    if (!list)
                        return error(run.line, fmt::format("there is no `{} = …` in this block", value));
                    more = split(list->value, ',');
                } else if (same_key(key, "Path")) {
                    path = value;
                } else if (same_key(key, "Restart")) {
                    planned.restart = restart_in(value, run.line);
                } else {
                    findings_.push_back({Kind::warning, run.line,
                                         fmt::format("`{}` has no effect here{}", key, meant_by(key))});
                }
            }
        planned.words = words_for(program, path);
        if (moos_arguments) planned.words.push_back(mission_.path);
        if (moos_arguments && program != moosdb) planned.words.push_back(planned.name);
        planned.words.insert(planned.words.end(), more.begin(), more.end());
        // Two lines with the same program are two processes, as in pAntler; they are distinguished by their
        // line numbers.
        const std::string name = planned.name;
        for (int number = 2; is_planned(planned.name); ++number)
            planned.name = fmt::format("{}#{}", name, number);
        plan_.programs.push_back(std::move(planned));
    }

    std::vector<std::string> words_for(const std::string& program, const std::string& path) const {
        if (program == moosdb) return broker_;
        if (program.starts_with(own_program) && !broker_.empty()) {
            std::vector<std::string> words = split(program.substr(own_program.size()), ' ');
            words.insert(words.begin(), broker_.front());
            return words;
        }
        if (path.empty() || same_key(path, "SYSTEM")) return {program};
        return {path.ends_with('/') ? path + program : path + "/" + program};
    }

    void read_launch(const MissionBlock& block) {
        double between = 0;
        double grace = to_seconds(plan_.grace);
        std::string restart = "never";
        Parameters parameters;
        parameters.add("between", between, {0, 60}, "");
        parameters.add("grace", grace, {0, 600}, "");
        parameters.add("restart", restart, "");
        fill(parameters, block);
        plan_.between = from_seconds(between);
        plan_.grace = from_seconds(grace);
        default_restart_ = restart_in(restart, block.line);
    }

    void read_program(const MissionBlock& block) {
        LaunchProgram program{.restart = default_restart_};
        std::string restart;
        Parameters parameters;
        parameters.add("name", program.name, "");
        parameters.add("command", program.words, "");
        parameters.add("restart", restart, "");
        fill(parameters, block);
        if (program.words.empty())
            return error(block.line, "a program needs a command: `command = [\"pDepth\", \"alpha.toml\"]`");
        if (program.words.size() == 1 && program.words[0].find(' ') != std::string::npos)
            return error(block.line,
                         fmt::format("command must be a list of words: `command = [\"{}\"]`, not `\"{}\"`",
                                     fmt::join(split(program.words[0], ' '), "\", \""), program.words[0]));
        if (!restart.empty()) program.restart = restart_in(restart, block.line);
        if (program.name.empty()) program.name = program.words[0].substr(program.words[0].rfind('/') + 1);
        if (is_planned(program.name))
            return error(block.line,
                         fmt::format("two programs are named {}; names must be unique", program.name));
        plan_.programs.push_back(std::move(program));
    }

    bool is_planned(std::string_view name) const {
        return std::ranges::find(plan_.programs, name, &LaunchProgram::name) != plan_.programs.end();
    }

    static constexpr std::string_view moosdb = "MOOSDB";
    static constexpr std::string_view own_name = "caribou";
    static constexpr std::string_view own_program = "caribou ";  ///< followed by one of its commands

    const Mission& mission_;
    std::vector<std::string> broker_;
    std::vector<MissionFinding> findings_;
    LaunchPlan plan_;
    std::string path_;
    Restart default_restart_ = Restart::never;
};

}  // namespace

Result<LaunchPlan> plan_launch(const Mission& mission, const std::vector<std::string>& broker) {
    return LaunchPlanner(mission, broker).plan();
}

std::string program_of_block(const Mission& mission, std::string_view block) {
    return LaunchPlanner(mission, {"caribou"}).read_program_of(block);
}

std::vector<MissionFinding> check_launch(const Mission& mission) {
    return LaunchPlanner(mission, {"caribou"}).check();
}

}  // namespace caribou::bus
