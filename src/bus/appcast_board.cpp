#include "bus/appcast_board.hpp"

#include <iterator>

#include <fmt/format.h>

#include "base/json_writer.hpp"
#include "base/limits.hpp"
#include "bus/message_text.hpp"
#include "bus/wildcard.hpp"

namespace caribou::bus {
namespace {

std::string node_of(const AppCast& cast) { return cast.node.empty() ? "unknown_node" : cast.node; }

/// Returns the text without the color sequences that some apps put into it, and with other control characters
/// escaped.
std::string plain(std::string_view text) {
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with("\x1b[")) {
            const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
            if (end != std::string_view::npos && text[end] == 'm') {
                at = end + 1;
                continue;
            }
        }
        kept += text[at++];
    }
    return printable(kept);
}

void write_lines(JsonWriter& to, std::string_view name, const std::vector<std::string>& lines) {
    to.key(name);
    to.begin_list();
    for (const std::string& line : lines) to.text(line);
    to.end_list();
}

}  // namespace

Result<void> AppCastBoard::take(std::string_view text) {
    auto cast = parse_appcast(text);
    if (!cast) return fail(std::move(cast.error()));
    std::pair key(node_of(*cast), cast->proc);
    if (casts_.size() >= max_apps && !casts_.contains(key))
        return fail(Code::limit_exceeded, limit_reached("max_apps", casts_.size() + 1, max_apps, "apps"));
    casts_.insert_or_assign(std::move(key), std::move(*cast));
    return {};
}

std::vector<const AppCast*> AppCastBoard::matching(std::string_view node, std::string_view app) const {
    std::vector<const AppCast*> found;
    for (const auto& [key, cast] : casts_)
        if (glob_matches(node, key.first) && glob_matches(app, key.second)) found.push_back(&cast);
    return found;
}

std::string appcast_table(const std::vector<const AppCast*>& casts) {
    std::string table =
        fmt::format("{:<16} {:<24} {:>10} {:>8} {:>8}\n", "NODE", "APP", "ITERATIONS", "CONFIG", "RUN");
    for (const AppCast* cast : casts)
        fmt::format_to(std::back_inserter(table), "{:<16} {:<24} {:>10} {:>8} {:>8}\n", plain(node_of(*cast)),
                       plain(cast->proc), cast->iteration, cast->config_warnings.size(),
                       cast->run_warning_total);
    return table;
}

std::string appcast_page(const AppCast& cast) {
    const std::string title = fmt::format("{} {}", plain(cast.proc), plain(node_of(cast)));
    const std::string counts =
        fmt::format("{}/{}({})", cast.config_warnings.size(), cast.run_warning_total, cast.iteration);
    std::string page = fmt::format("{:<50} {:>29}\n", title, counts);
    const auto add = [&page](std::string_view line) { page.append(plain(line)).append("\n"); };
    if (!cast.config_warnings.empty()) {
        add("Configuration Warnings:");
        for (std::size_t i = 0; i < cast.config_warnings.size(); ++i)
            add(fmt::format("  [{} of {}]: {}", i + 1, cast.config_warnings.size(), cast.config_warnings[i]));
    }
    if (!cast.run_warnings.empty()) {
        add("Run Warnings:");
        for (const auto& [text, count] : cast.run_warnings) add(fmt::format("  [{}]: {}", count, text));
    }
    for (const std::string& line : cast.messages) add(line);
    if (!cast.events.empty()) {
        add("Most Recent Events:");
        for (auto event = cast.events.rbegin(); event != cast.events.rend(); ++event) add("  " + *event);
    }
    return page;
}

std::string appcast_json(const std::vector<const AppCast*>& casts) {
    JsonWriter to;
    to.begin_list();
    for (const AppCast* cast : casts) {
        to.begin_object();
        to.member("node", cast->node);
        to.member("app", cast->proc);
        to.member("iterations", cast->iteration);
        write_lines(to, "messages", cast->messages);
        write_lines(to, "config_warnings", cast->config_warnings);
        to.key("run_warnings");
        to.begin_object();
        for (const auto& [text, count] : cast->run_warnings) to.member(text, count);
        to.end_object();
        to.member("run_warning_total", cast->run_warning_total);
        write_lines(to, "events", cast->events);
        to.end_object();
    }
    to.end_list();
    return std::move(to).take();
}

}  // namespace caribou::bus
