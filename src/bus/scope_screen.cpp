// Renders a scope as text.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/json_writer.hpp"
#include "bus/json_real.hpp"
#include "bus/message_text.hpp"
#include "bus/scope_view.hpp"
#include "bus/wildcard.hpp"

namespace caribou::bus {
namespace {

/// Truncates a UTF-8 text to a number of characters.
std::string fit(std::string_view text, std::size_t letters) {
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const bool begins_letter = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
        if (begins_letter && letters-- == 0) break;
    }
    return std::string(text.substr(0, end));
}

std::string age_text(double seconds) {
    if (seconds < 100) return fmt::format("{:.1f}s", seconds);
    if (seconds < 6000) return fmt::format("{:.0f}m", seconds / 60);
    return fmt::format("{:.0f}h", std::min(seconds / 3600, 99999.0));
}

std::string rate_text(double hertz) { return hertz > 0 ? fmt::format("{:.1f}", hertz) : "-"; }

constexpr std::string_view heads[] = {"VARIABLE", "SOURCE", "AGE", "RATE", "T", "VALUE"};

std::string table_line(const ScopeView::Options& options, const Board::Row& row, std::string_view source,
                       std::string_view age, std::string_view rate, std::string_view type,
                       std::string_view value) {
    std::string line = fmt::format("{:<24} {:<16} ", printable(row.name), source);
    if (options.shows_community) line += fmt::format("{:<12} ", printable(row.community));
    if (options.shows_aux) line += fmt::format("{:<12} ", printable(row.aux));
    return line + fmt::format("{:>6} {:>8} {} {}", age, rate, type, value);
}

std::string head_line(const ScopeView::Options& options) {
    const Board::Row names{.name = std::string(heads[0]), .aux = "AUX", .community = "COMMUNITY"};
    return table_line(options, names, heads[1], heads[2], heads[3], heads[4], heads[5]);
}

std::string row_line(const ScopeView::Options& options, const Board::Row& row, const Board& board,
                     Instant now, std::size_t longest) {
    const bool written = row.written.has_value();
    return table_line(options, row, written ? printable(row.source) : "(unwritten)",
                      written ? age_text(board.age(row, now)) : "-", rate_text(board.rate(row, now)),
                      std::string(1, static_cast<char>(row.type)), value_text(row.value(), longest));
}

std::string status_line(const ScopeView& view, const Board& board) {
    if (view.typing()) return fmt::format("filter: {}_", printable(view.options().filter));
    if (view.poking()) return fmt::format("poke: {}_", printable(*view.poking()));
    if (!view.message().empty()) return printable(view.message());
    return fmt::format(
        "{} of {}{}  by {}{}{}", view.rows().size(), board.rows().size(),
        view.options().filter.empty() ? "" : fmt::format(" with `{}`", printable(view.options().filter)),
        to_string(view.options().sort), view.options().reverse ? ", reversed" : "",
        view.paused() ? "  PAUSED" : "");
}

/// Returns a line in the color of its variable.
std::string colored(const ScopeView::Options& options, std::string_view variable, const std::string& line) {
    for (const auto& [pattern, code] : options.colors)
        if (glob_matches(pattern, variable)) return fmt::format("\x1b[{}m{}\x1b[0m", code, line);
    return line;
}

void write_value(JsonWriter& to, const Board::Row& row) {
    if (!row.written) return to.member("value", std::optional<double>());
    if (row.type == wire::DataType::number) return put_real(to, "value", row.number);
    to.member("value", row.type == wire::DataType::string ? row.text : value_text(row.value()));
}

constexpr std::string_view table_keys =
    "up/down move  enter history  / filter  s sort  r reverse  space pause  p poke  ? help  q quit";
constexpr std::string_view history_keys = "enter back  p poke  ? help  q quit";
constexpr std::string_view help_lines[] = {
    "up, down, page up, page down, g, G   move",
    "enter                                show or close the history of a variable",
    "/ TEXT enter                         filter: parts of names or patterns, separated by blanks",
    "escape                               clear the filter",
    "s, r                                 sort by the next column; reverse the order",
    "space                                pause or resume",
    "p VAR=VALUE enter                    write a value",
    "q                                    quit",
    "any key                              close this list"};

}  // namespace

std::size_t scope_page(const ScreenSize& size) {
    return static_cast<std::size_t>(std::max(1, size.rows - 4));
}

std::string scope_screen(const ScopeView& view, const Board& board, Instant now, const ScreenSize& size,
                         std::string_view title) {
    const auto width = static_cast<std::size_t>(std::max(1, size.columns));
    const std::size_t page = scope_page(size);
    std::string screen;
    const auto line = [&](std::string_view text) { screen += fit(text, width) + "\n"; };
    if (view.helping()) {
        line(title);
        for (std::size_t i = 0; i < page + 3; ++i) line(i < std::size(help_lines) ? help_lines[i] : "");
        return screen;
    }
    if (!view.open().empty()) {
        const bool talks = view.poking() || !view.message().empty();
        line(fmt::format("{}  {}", title, talks ? status_line(view, board) : printable(view.open())));
        const Board::Row* const row = board.find(view.open());
        line(row ? fmt::format("{}, {} writes/s", type_name(row->type), rate_text(board.rate(*row, now)))
                 : "gone");
        line(fmt::format("{:<14}{:<16} {}", "TIME", heads[1], heads[5]));
        const std::size_t shown = std::min(page, view.history().size());
        for (std::size_t i = 0; i < page; ++i) {
            if (i >= shown) {
                line("");
                continue;
            }
            const ScopeSample& sample = view.history()[view.history().size() - 1 - i];
            line(fmt::format("{:<14}{:<16} {}", time_of_day(sample.time), printable(sample.source),
                             sample.value));
        }
        line(history_keys);
        return screen;
    }
    line(fmt::format("{}  {}", title, status_line(view, board)));
    line("");
    line(head_line(view.options()));
    for (std::size_t i = view.top(); i < view.top() + page; ++i) {
        if (i >= view.rows().size()) {
            line("");
        } else if (i == view.cursor()) {
            screen +=
                "\x1b[7m" +
                fmt::format("{:<{}}",
                            fit(row_line(view.options(), *view.rows()[i], board, now, width), width), width) +
                "\x1b[0m\n";
        } else {
            const Board::Row& row = *view.rows()[i];
            screen += colored(view.options(), row.name,
                              fit(row_line(view.options(), row, board, now, width), width)) +
                      "\n";
        }
    }
    line(table_keys);
    return screen;
}

std::string scope_text(const ScopeView& view, const Board& board, Instant now) {
    std::string text = head_line(view.options()) + "\n";
    for (const Board::Row* row : view.rows())
        text += row_line(view.options(), *row, board, now, std::string_view::npos) + "\n";
    return text;
}

std::string scope_json(const ScopeView& view, const Board& board, Instant now) {
    std::string text = "[";
    for (const Board::Row* row : view.rows()) {
        JsonWriter to;
        to.begin_object();
        to.member("variable", row->name);
        to.member("type", type_name(row->type));
        write_value(to, *row);
        to.member("source", row->source);
        if (row->written)
            put_real(to, "age", board.age(*row, now));
        else
            to.member("age", std::optional<double>());
        put_real(to, "rate", board.rate(*row, now));
        to.member("community", row->community);
        to.member("aux", row->aux);
        to.end_object();
        text += (text.size() > 1 ? ",\n " : "") + std::move(to).take();
    }
    return text + "]";
}

}  // namespace caribou::bus
