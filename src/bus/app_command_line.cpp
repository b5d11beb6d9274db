#include "bus/app_command_line.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/nearest.hpp"

namespace caribou::bus {
namespace {

using Wish = AppCommandLine::Wish;

enum class Means { global, setting, negated, file, client_name, app_name, wish, nothing };

struct Option {
    std::string_view name;
    Means means;
    std::string_view key;  ///< name of the key in a mission file
    bool takes_value;
    std::string_view doc;
    Wish wish = Wish::run;
};

constexpr Option options[] = {
    {"--moos_file", Means::file, "", true, "mission file to read; also the first argument"},
    {"--moos_name", Means::client_name, "", true, "name at the broker"},
    {"--moos_app_name", Means::app_name, "", true,
     "name of the app: its block in the mission file; also the second argument"},
    {"--moos_host", Means::global, "ServerHost", true, "host of the broker"},
    {"--moos_port", Means::global, "ServerPort", true, "port of the broker"},
    {"--moos_time_warp", Means::global, "MOOSTimeWarp", true, "time warp: how many times faster time runs"},
    {"--moos_app_tick", Means::setting, "AppTick", true,
     "iterations per second (a value in the file has precedence)"},
    {"--moos_max_app_tick", Means::setting, "MaxAppTick", true,
     "maximum mail deliveries per second (a value in the file has precedence)"},
    {"--moos_comms_tick", Means::setting, "CommsTick", true, "packets per second in synchronous mode"},
    {"--moos_iterate_mode", Means::setting, "IterateMode", true,
     "0, 1 or 2 (a value in the file has precedence)"},
    {"--moos_quiet", Means::setting, "moos_quiet", false, "only warnings"},
    {"--moos_no_comms", Means::negated, "UseMOOSComms", false, "run without a broker"},
    {"--moos_iterate_no_comms", Means::setting, "moos_iterate_no_comms", false,
     "iterate even without a connection"},
    {"--moos_quit_on_iterate_fail", Means::setting, "moos_quit_on_iterate_fail", false,
     "exit when iterate fails"},
    {"--moos_filter_command", Means::setting, "moos_filter_command", false,
     "do not pass command messages to on_new_mail"},
    {"--moos_no_sort_mail", Means::negated, "SortMailByTime", false, "deliver mail in order of arrival"},
    {"--moos_print_example", Means::wish, "", false, "print a block for a mission file", Wish::example},
    {"--moos_configuration_audit", Means::wish, "", false, "print every parameter with its value",
     Wish::parameters},
    {"--moos_print_interface", Means::wish, "", false, "the same", Wish::parameters},
    {"--moos_print_version", Means::wish, "", false, "print the version of Caribou", Wish::version},
    {"--moos_help", Means::wish, "", false, "print this help", Wish::help},
    {"--help", Means::wish, "", false, "the same", Wish::help},
    {"-h", Means::wish, "", false, "the same", Wish::help},
    {"--example", Means::wish, "", false, "same as --moos_print_example, as in MOOS-IvP", Wish::example},
    {"-e", Means::wish, "", false, "the same", Wish::example},
    {"--interface", Means::wish, "", false, "same as --moos_print_interface, as in MOOS-IvP",
     Wish::parameters},
    {"-i", Means::wish, "", false, "the same", Wish::parameters},
    {"--version", Means::wish, "", false, "same as --moos_print_version, as in MOOS-IvP", Wish::version},
    {"-v", Means::wish, "", false, "the same", Wish::version},
    {"--alias", Means::app_name, "", true, "same as --moos_app_name, as in MOOS-IvP"},
    {"--moos_tw_delay_factor", Means::nothing, "", true, "accepted for launch scripts, no effect"},
    {"--moos_no_colour", Means::nothing, "", false, "the same"},
    {"--moos_suicide_channel", Means::nothing, "", true, "the same"},
    {"--moos_suicide_port", Means::nothing, "", true, "the same"},
    {"--moos_suicide_phrase", Means::nothing, "", true, "the same"},
    {"--moos_suicide_disable", Means::nothing, "", false, "the same"},
    {"--moos_suicide_print", Means::nothing, "", false, "the same"},
};

std::unexpected<Error> unknown(std::string_view name) {
    std::vector<std::string> names;
    for (const Option& option : options) names.emplace_back(option.name);
    const auto meant = nearest(name, names);
    return fail(Code::invalid_argument, fmt::format("unknown option `{}`{}", name,
                                                    meant ? fmt::format("; did you mean `{}`?", *meant)
                                                          : "; a parameter is set with `--NAME=VALUE`"));
}

void take_free_word(AppCommandLine& line, const std::string& word, std::size_t count) {
    if (count == 0) line.mission = word;
    if (count == 1) line.app_name = word;
}

void take_option(AppCommandLine& line, const Option& option, std::string value, std::size_t number) {
    if (value.empty()) value = "true";
    if (option.means == Means::negated) value = value == "true" ? "false" : "true";
    MissionSetting setting{std::string(option.key), value, number};
    switch (option.means) {
        case Means::global: line.globals.push_back(std::move(setting)); return;
        case Means::setting:
        case Means::negated: line.settings.push_back(std::move(setting)); return;
        case Means::file: line.mission = std::move(value); return;
        case Means::client_name: line.client_name = std::move(value); return;
        case Means::app_name: line.app_name = std::move(value); return;
        case Means::wish: line.wish = option.wish; return;
        case Means::nothing: return;
    }
}

}  // namespace

Result<AppCommandLine> parse_app_command_line(std::span<const std::string> words) {
    AppCommandLine line;
    std::size_t free_words = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!word.starts_with('-')) {
            if (free_words == 2)
                return fail(
                    Code::invalid_argument,
                    fmt::format("unexpected argument `{}`; expected a mission file and a name", word));
            take_free_word(line, word, free_words++);
            continue;
        }
        const std::size_t equals = word.find('=');
        const bool has_value = equals != std::string::npos;
        const std::string name = word.substr(0, equals);
        const std::string value = has_value ? word.substr(equals + 1) : "";
        const auto option = std::ranges::find(options, name, &Option::name);
        if (option == std::end(options)) {
            if (!has_value || !name.starts_with("--") || name.starts_with("--moos_")) return unknown(name);
            line.settings.push_back({name.substr(2), value, i + 1});
            continue;
        }
        if (option->takes_value && value.empty())
            return fail(Code::invalid_argument, fmt::format("`{0}` needs a value: `{0}=VALUE`", name));
        take_option(line, *option, value, i + 1);
    }
    return line;
}

std::string app_help(std::string_view program) {
    std::string text =
        fmt::format("{} [MISSION [NAME]] [--option[=value]]… [--PARAMETER=value]…\n\n", program);
    for (const Option& option : options)
        text += fmt::format("  {:<30} {}\n", fmt::format("{}{}", option.name, option.takes_value ? "=…" : ""),
                            option.doc);
    return text;
}

}  // namespace caribou::bus
