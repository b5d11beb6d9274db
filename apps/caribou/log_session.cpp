#include "caribou/log_session.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

constexpr std::size_t largest_copy = 64_MiB;
constexpr int most_folders = 10'000;

/// Makes a folder that is not there yet: NAME, NAME_2, NAME_3 ….
Result<std::filesystem::path> new_folder(const std::filesystem::path& path, const std::string& name) {
    std::error_code failed;
    std::filesystem::create_directories(path, failed);
    for (int number = 1; number <= most_folders && !failed; ++number) {
        const auto folder = path / (number == 1 ? name : fmt::format("{}_{}", name, number));
        if (std::filesystem::create_directory(folder, failed)) return folder;
    }
    return fail(Code::io, fmt::format("cannot create a folder {} in {}: {}", name, path.string(),
                                      failed ? failed.message() : "there are too many"));
}

}  // namespace

Result<std::unique_ptr<LogSession>> LogSession::open(const Options& options, Instant now,
                                                     double unix_seconds) {
    const auto folder = new_folder(options.path, options.name + options.time_text);
    if (!folder) return fail(folder.error());
    auto session = std::unique_ptr<LogSession>(new LogSession);
    session->folder_ = folder->string();
    session->stem_ = (*folder / (options.name + options.time_text)).string();
    session->log_start_ = unix_seconds;
    if (options.has_alog)
        if (auto began = session->start(session->log_, options, ".alog", ".blog", now, unix_seconds); !began)
            return fail(std::move(began.error()));
    if (options.has_xlog)
        if (auto began = session->start(session->omitted_, options, ".xlog", ".xblog", now, unix_seconds);
            !began)
            return fail(std::move(began.error()));
    if (auto began = session->start(session->system_, options, ".ylog", ".yblog", now, unix_seconds); !began)
        return fail(std::move(began.error()));
    if (options.columns) {
        session->columns_.emplace(*options.columns, options.decimals);
        session->ticks_ = std::make_unique<LogFolder>(".slog");
        if (auto opened = session->ticks_->open(session->stem_); !opened)
            return fail(std::move(opened.error()));
        const std::string header = session->columns_->header(session->stem_ + ".slog", unix_seconds);
        if (auto written = session->ticks_->append_lines(header); !written)
            return fail(std::move(written.error()));
    }
    if (options.mission_file.empty()) return session;
    const auto mission = read_text_file(options.mission_file, largest_copy);
    if (!mission) return fail(mission.error());
    if (auto written = write_text_file(session->stem_ + "._moos", *mission); !written)
        return fail(std::move(written.error()));
    return session;
}

Result<void> LogSession::start(Log& log, const Options& options, const std::string& ending,
                               const std::string& side_ending, Instant now, double unix_seconds) {
    wire::AlogWriter::Style style = options.style;
    style.ending = ending;
    style.side_ending = side_ending;
    log.files = std::make_unique<LogFolder>(ending, side_ending);
    log.recorder =
        std::make_unique<bus::Recorder>(*log.files, bus::Recorder::Options{.name = stem_, .style = style});
    return log.recorder->start(now, unix_seconds);
}

Result<void> LogSession::add(Log& log, const wire::MessageView& message, Instant now, double stamp) {
    return log.recorder ? log.recorder->add(message, now, stamp) : Result<void>();
}
Result<void> LogSession::add(const wire::MessageView& message, Instant now, double stamp) {
    if (columns_) columns_->set(message);
    return add(log_, message, now, stamp);
}
Result<void> LogSession::add_omitted(const wire::MessageView& message, Instant now, double stamp) {
    return add(omitted_, message, now, stamp);
}
Result<void> LogSession::add_system(const wire::MessageView& message, Instant now, double stamp) {
    return add(system_, message, now, stamp);
}

Result<void> LogSession::tick(double stamp) {
    return columns_ ? ticks_->append_lines(columns_->line(stamp - log_start_)) : Result<void>();
}

Result<void> LogSession::flush() {
    for (Log* log : {&log_, &omitted_, &system_})
        if (log->recorder)
            if (auto flushed = log->recorder->flush(); !flushed) return flushed;
    return {};
}

Result<void> LogSession::finish() {
    Result<void> done;
    for (Log* log : {&log_, &omitted_, &system_})
        if (log->recorder)
            if (auto finished = log->recorder->finish(); !finished) done = std::move(finished);
    if (ticks_)
        if (auto closed = ticks_->close(); !closed) done = std::move(closed);
    return done;
}

Result<void> LogSession::copy(const std::string& path) const {
    const auto text = read_text_file(path, largest_copy);
    if (!text) return fail(text.error());
    const std::filesystem::path source(path);
    const std::string ending = source.extension().string();
    const std::string name = source.stem().string() + (ending.empty() ? "._" : "._" + ending.substr(1));
    return write_text_file((std::filesystem::path(folder_) / name).string(), *text);
}

}  // namespace caribou::app
