// `caribou alog`: shows and filters .alog files.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bus/message_text.hpp"
#include "caribou/alog_files.hpp"
#include "caribou/commands.hpp"
#include "caribou/log_source.hpp"
#include "caribou/patterns.hpp"
#include "caribou/quantity.hpp"
#include "kit/program/number_from.hpp"
#include "wire/alog_summary.hpp"

namespace caribou::app {
namespace {

/// Later starts of a log, in UNIX seconds, are those of a time warp: 1 January 2100.
constexpr double last_real_time = 4'102'444'800;

std::string summary_text(const std::string& path, const wire::AlogSummary& log, std::size_t bytes) {
    std::string text =
        fmt::format("{}: {}, {} values of {} variables", path, size_text(static_cast<double>(bytes)),
                    count_text(log.values), count_text(log.variables.size()));
    if (log.log_start)
        text += fmt::format("\nbegan {:%Y-%m-%d %H:%M:%S} UTC{}, lasts {:.1f} s",
                            fmt::gmtime(static_cast<std::time_t>(std::clamp(*log.log_start, 0.0, 2e11))),
                            *log.log_start > last_real_time ? " (time under a time warp)" : "", log.last);
    if (log.passed_over > 0) text += fmt::format("\n{} malformed lines", count_text(log.passed_over));
    text += fmt::format("\n\n{:<24} {:>9} {:>8} {:>10} {:>10} {:<8} {}\n", "VARIABLE", "VALUES", "PER S",
                        "FIRST", "LAST", "TYPE", "WRITTEN BY");
    for (const auto& [name, variable] : log.variables) {
        const double span = variable.last - variable.first;
        const double rate = span > 0 ? static_cast<double>(variable.count - 1) / span : 0;
        text +=
            fmt::format("{:<24} {:>9} {:>8.1f} {:>10.2f} {:>10.2f} {:<8} {}\n", bus::printable(name),
                        variable.count, rate, variable.first, variable.last, bus::type_name(variable.type),
                        bus::printable(fmt::format("{}", fmt::join(variable.sources, ", "))));
    }
    return text;
}

class AlogCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("alog", "Show, filter, split, merge and replay .alog files");
        parser_->footer("docs/formats/alog.md explains the files.");
        info_ = verb("info", "Show its time, variables, rates and writers", "caribou alog info trial.alog");
        grep_ = verb("grep", "Print the log with some of the variables only",
                     "caribou alog grep trial.alog 'NAV_*' --source pNav > nav.alog");
        add_filter(*grep_, true);
        clip_ = verb("clip", "Print the log with a part of its time only",
                     "caribou alog clip trial.alog --from 60 --to 120 > part.alog");
        clip_->add_option("--from", from_, "Seconds since the log's start")->check(number_from(0, 1e9));
        clip_->add_option("--to", to_, "Seconds since the log's start")->check(number_from(0, 1e9));
        csv_ = verb("csv", "Print the values as time,variable,source,value",
                    "caribou alog csv trial.alog NAV_X NAV_Y > nav.csv");
        add_filter(*csv_, false);
        split_.emplace(*parser_);
        merge_.emplace(*parser_);
        view_.emplace(*parser_);
        return parser_;
    }

    Exit run() override {
        if (parser_->get_subcommands().empty()) {
            fmt::print("{}", parser_->help());
            return Exit::usage;
        }
        if (split_->parsed()) return split_->run();
        if (merge_->parsed()) return merge_->run();
        if (view_->parsed()) return view_->run();
        for (const std::string& pattern : patterns_)
            if (pattern.ends_with(".alog")) {
                fmt::print(
                    stderr,
                    "caribou alog: error: `{0}` is not a variable; write the output to a file with `> {0}`\n",
                    pattern);
                return Exit::usage;
            }
        const auto log = LogSource::open(file_);
        if (!log) {
            fmt::print(stderr, "caribou alog: error: {}\n", log.error().message);
            return Exit::failed;
        }
        const std::uint64_t found = info_->parsed() ? info(log->text()) : select(log->text());
        if (std::fflush(stdout) != 0) {
            fmt::print(stderr, "caribou alog: error: cannot write the output\n");
            return Exit::failed;
        }
        if (found > 0) return Exit::ok;
        fmt::print(stderr, "caribou alog: error: {} contains no {}value{}\n", file_,
                   info_->parsed() ? "" : "such ", info_->parsed() ? "; is it an .alog file?" : "");
        return Exit::failed;
    }

private:
    CLI::App* verb(const std::string& name, const std::string& description, const std::string& example) {
        CLI::App* const parser = parser_->add_subcommand(name, description);
        parser->add_option("FILE", file_, "The log")->required();
        parser->footer("Example:\n  " + example + "\nExit status 1 if there is no output.");
        return parser;
    }
    void add_filter(CLI::App& parser, bool required) {
        auto* const patterns =
            parser.add_option("PATTERN", patterns_, "Variables; * matches any text, ? any character");
        if (required) patterns->required();
        parser.add_option("--source", source_, "Only values written by clients that match this pattern");
    }

    std::uint64_t info(std::string_view text) const {
        const auto summary = wire::summarize_alog(text);
        if (summary.values > 0) fmt::print("{}", summary_text(file_, summary, text.size()));
        return summary.values;
    }

    bool is_wanted(const wire::AlogEntry& entry) const {
        return entry.time >= from_ && (to_ < 0 || entry.time <= to_) &&
               (patterns_.empty() || matches_any(patterns_, entry.variable)) &&
               bus::glob_matches(source_, entry.source);
    }

    /// Comments pass grep and clip, because they describe the format.
    std::uint64_t select(std::string_view text) const {
        const bool as_csv = csv_->parsed();
        if (as_csv) fmt::print("{}", wire::alog_csv_header);
        std::uint64_t found = 0;
        wire::AlogReader reader(text);
        while (const auto line = reader.next_line()) {
            const bool wanted = line->entry && is_wanted(*line->entry);
            found += wanted ? 1 : 0;
            if (as_csv && wanted)
                fmt::print("{}", wire::alog_csv_row(*line->entry));
            else if (!as_csv && (wanted || line->is_comment))
                fmt::print("{}\n", line->raw);
        }
        return found;
    }

    CLI::App* parser_ = nullptr;
    CLI::App* info_ = nullptr;
    CLI::App* grep_ = nullptr;
    CLI::App* clip_ = nullptr;
    CLI::App* csv_ = nullptr;
    std::optional<AlogSplitVerb> split_;
    std::optional<AlogMergeVerb> merge_;
    std::optional<AlogViewVerb> view_;
    std::string file_;
    std::vector<std::string> patterns_;
    std::string source_ = "*";
    double from_ = 0;
    double to_ = -1;
};

}  // namespace

std::unique_ptr<Command> make_alog_command() { return std::make_unique<AlogCommand>(); }

}  // namespace caribou::app
