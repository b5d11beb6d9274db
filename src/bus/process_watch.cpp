#include "bus/process_watch.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/trimmed.hpp"
#include "bus/wildcard.hpp"

namespace caribou::bus {
namespace {

/// Returns the pattern of `APP` or `APP:VARIABLE`.
std::string_view pattern_of(std::string_view watch) { return watch.substr(0, watch.find(':')); }

/// Returns whether the name is the default name of a tool of `caribou`: the command and the process id.
bool is_tool(std::string_view name) {
    constexpr std::string_view tools[] = {"appcast", "clients", "ping",  "poke", "query",
                                          "record",  "replay",  "scope", "watch"};
    const std::size_t line = name.rfind('_');
    if (line == std::string_view::npos || line + 1 == name.size()) return false;
    return std::ranges::find(tools, name.substr(0, line)) != std::end(tools) &&
           name.find_first_not_of("0123456789", line + 1) == std::string_view::npos;
}

std::set<std::string_view> names_in(std::string_view list) {
    std::set<std::string_view> names;
    while (!list.empty()) {
        const std::string_view name = trimmed(list.substr(0, list.find(',')));
        list.remove_prefix(std::min(
            list.size(), list.find(',') == std::string_view::npos ? list.size() : list.find(',') + 1));
        if (!name.empty()) names.insert(name);
    }
    return names;
}

}  // namespace

ProcessWatch::ProcessWatch(Settings settings) : settings_(std::move(settings)) {
    for (const std::string& name : settings_.launched)
        if (!is_excluded(name)) add(name).launched = true;
    for (const std::string& watch : settings_.watch) {
        const std::string_view name = pattern_of(watch);
        if (!is_pattern(name) && !is_excluded(name)) add(name);
    }
}

bool ProcessWatch::is_excluded(std::string_view name) const {
    return name == settings_.own_name || is_tool(name) ||
           std::ranges::any_of(settings_.nowatch,
                               [&](const auto& pattern) { return glob_matches(pattern, name); });
}

bool ProcessWatch::is_watched(std::string_view name) const {
    if (is_excluded(name)) return false;
    return settings_.watch_all || std::ranges::any_of(settings_.watch, [&](const auto& watch) {
               return glob_matches(pattern_of(watch), name);
           });
}

ProcessWatch::Process& ProcessWatch::add(std::string_view name) {
    const auto found = std::ranges::find(processes_, name, &Process::name);
    if (found != processes_.end()) return *found;
    Process& process = processes_.emplace_back(Process{.name = std::string(name)});
    for (const std::string& watch : settings_.watch)
        if (const std::size_t colon = watch.find(':');
            colon != std::string::npos && glob_matches(pattern_of(watch), name))
            process.variable = watch.substr(colon + 1);
    return process;
}

ProcessWatch::Changes ProcessWatch::on_clients(std::string_view list) {
    const auto names = names_in(list);
    for (const std::string_view name : names)
        if (is_watched(name) && processes_.size() < max_processes) add(name);
    Changes changes;
    for (Process& process : processes_) {
        const bool present = names.contains(process.name);
        if (process.reported && present == process.present) continue;
        process.present = present;
        process.reported = true;
        ++(present ? process.times_seen : process.times_lost);
        (present ? changes.appeared : changes.vanished).push_back(&process);
    }
    return changes;
}

bool ProcessWatch::all_present() const { return std::ranges::all_of(processes_, &Process::present); }

std::string ProcessWatch::summary() const {
    if (all_present()) return "All Present";
    std::string missing;
    for (const Process& process : processes_)
        if (!process.present) missing.append(missing.empty() ? "AWOL: " : ",").append(process.name);
    return missing;
}

std::string ProcessWatch::full_summary() const {
    std::string all;
    for (const Process& process : processes_)
        fmt::format_to(std::back_inserter(all), "{}{}({}/{})", all.empty() ? "" : ",", process.name,
                       process.times_seen, process.times_lost);
    return all;
}

std::string ProcessWatch::table() const {
    std::string text =
        fmt::format("Summary: {}\n\n{:<24} {:<12} {}\n", summary(), "ProcName", "Watch Reason", "Status");
    for (const Process& process : processes_)
        fmt::format_to(std::back_inserter(text), "{:<24} {:<12} {}\n", process.name,
                       process.launched ? "ANT DB" : "DB", process.present ? "OK" : "MISSING");
    return text;
}

}  // namespace caribou::bus
