#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "caribou/alog_files.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/log_source.hpp"
#include "caribou/quantity.hpp"
#include "wire/alog_merge.hpp"

namespace caribou::app {
namespace {

constexpr std::string_view merge_name = "alog merge";

/// `LABEL=FILE` or `FILE`.
struct LabeledLog {
    std::string label;
    LogSource log;
};

Result<LabeledLog> open_labeled(const std::string& word) {
    const std::size_t equals = word.find('=');
    const bool labeled = equals != std::string::npos;
    auto log = LogSource::open(labeled ? word.substr(equals + 1) : word);
    if (!log) return fail(std::move(log.error()));
    return LabeledLog{labeled ? word.substr(0, equals) : "", std::move(*log)};
}

/// Returns an error if two logs start years apart, as stamps of different time warps do.
Result<void> check_starts(const std::vector<std::string>& names, const std::vector<std::string_view>& texts) {
    constexpr double year = 365.25 * 86400;
    std::optional<std::pair<std::string, double>> first;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        wire::AlogReader reader(texts[i]);
        const bool has_values = reader.next().has_value();
        const auto start = reader.log_start();
        if (!has_values || !start) continue;
        if (!first) first.emplace(names[i], *start);
        if (std::abs(first->second - *start) > year)
            return fail(
                Code::invalid_argument,
                fmt::format("{} (LOGSTART {:.0f}) and {} (LOGSTART {:.0f}) start years apart: logs of "
                            "different time warps cannot be compared by time",
                            first->first, first->second, names[i], *start));
    }
    return {};
}

/// The two files of a log being written.
class MergedLog {
public:
    MergedLog(const std::string& name, double log_start)
        : name_(name),
          writer_(name, log_start),
          lines_(name + ".alog", std::ios::binary),
          side_(name + ".blog", std::ios::binary) {}

    void add(const wire::MessageView& message) {
        writer_.add(message);
        if (writer_.lines().size() + writer_.side().size() >= 1_MiB) flush();
    }
    /// Returns whether everything could be written. Removes a .blog file without contents.
    bool finish() {
        flush();
        lines_.flush();
        side_.flush();
        const bool written = lines_.good() && side_.good();
        if (side_bytes_ == 0) {
            std::error_code ignored;
            std::filesystem::remove(name_ + ".blog", ignored);
        }
        return written;
    }

private:
    void flush() {
        lines_ << writer_.lines();
        side_ << writer_.side();
        side_bytes_ += writer_.side().size();
        writer_.clear();
    }

    std::string name_;
    wire::AlogWriter writer_;
    std::ofstream lines_;
    std::ofstream side_;
    std::size_t side_bytes_ = 0;
};

}  // namespace

AlogMergeVerb::AlogMergeVerb(CLI::App& alog)
    : parser_(alog.add_subcommand("merge", "Write logs as one, sorted by time")) {
    parser_->add_option("FILE", files_, "Logs; LABEL=FILE adds @LABEL to the sources of a log")->required();
    parser_->add_option("-o,--output", output_, "Name of the new log")->required();
    parser_->footer(
        "Times are compared by LOGSTART. Example:\n"
        "  caribou alog merge abe=abe.alog ben=ben.alog -o fleet");
}

Exit AlogMergeVerb::run() const {
    std::vector<LabeledLog> logs;
    std::vector<std::string_view> texts;
    for (const std::string& word : files_) {
        auto log = open_labeled(word);
        if (!log) return complain(merge_name, log.error().message, Exit::failed);
        logs.push_back(std::move(*log));
    }
    for (const LabeledLog& log : logs) texts.push_back(log.log.text());
    if (auto comparable = check_starts(files_, texts); !comparable)
        return complain(merge_name, comparable.error().message, Exit::failed);
    auto merge = wire::AlogMerge::open(texts);
    if (!merge) return complain(merge_name, merge.error().message, Exit::failed);
    std::error_code failed;
    const bool has_ending = output_.ends_with(".alog");
    const std::string name = has_ending ? output_.substr(0, output_.size() - 5) : output_;
    for (const char* const end : {".alog", ".blog"})
        if (std::filesystem::exists(name + end, failed))
            return complain(merge_name, fmt::format("{}{} is there already", name, end), Exit::failed);

    MergedLog output(name, merge->log_start());
    std::uint64_t count = 0;
    std::uint64_t unreadable = 0;
    while (const auto value = merge->next()) {
        const wire::AlogEntry& entry = value->entry;
        LabeledLog& log = logs[value->log];
        const std::string source =
            log.label.empty() ? std::string(entry.source) : fmt::format("{}@{}", entry.source, log.label);
        wire::MessageView message{.data_type = entry.type,
                                  .source = source,
                                  .aux = entry.aux,
                                  .key = entry.variable,
                                  .time = value->time,
                                  .value = entry.number,
                                  .payload = entry.text};
        if (entry.reference) {
            const auto bytes = log.log.resolve(*entry.reference);
            if (!bytes) {
                ++unreadable;
                continue;
            }
            message.payload = *bytes;
        }
        output.add(message);
        ++count;
    }
    if (!output.finish())
        return complain(merge_name, fmt::format("cannot write {}.alog", name), Exit::failed);
    fmt::print("{}.alog: {} values of {} logs\n", name, count_text(count), logs.size());
    if (unreadable == 0) return Exit::ok;
    return complain(merge_name,
                    fmt::format("{} values refer to missing files beside the logs", count_text(unreadable)),
                    Exit::failed);
}

}  // namespace caribou::app
