#include "platform/latch_file.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "platform/text_file.hpp"

namespace caribou {
namespace {

constexpr std::string_view way_to_release =
    "Release it at its station or page, or with `caribou robot release --config FILE`.";

}  // namespace

LatchFile::LatchFile(const std::string& path, Log& log) : path_(path), file_(path), thread_({"latch"}, log) {}

std::unique_ptr<LatchFile> LatchFile::open(const std::string& path, Missing missing, Log& log) {
    std::unique_ptr<LatchFile> made(new LatchFile(path, log));
    made->read(missing, log);
    if (const auto started = made->thread_.start(); !started) log.error(started.error().message);
    return made;
}

LatchFile::~LatchFile() {
    thread_.stop();
    write_pending();
}

void LatchFile::read(Missing missing, Log& log) {
    const auto lost = [&](const std::string& why) {
        at_start_.stop = motion::StopCause::state_lost;
        log.warning(fmt::format("state lost: the robot starts stopped, because {}. {}", why, way_to_release));
    };
    std::error_code error;
    if (!std::filesystem::exists(path_, error) && !error) {
        std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
        if (missing == Missing::is_lost) lost(path_ + " is missing");
    } else {
        const auto text = read_text_file(path_, 4096);
        const auto record = text ? motion::latch_record_from(*text) : fail(text.error());
        if (record) {
            at_start_ = *record;
            if (record->stop)
                log.warning(fmt::format("the robot starts stopped: it was stopped by {}. {}",
                                        to_string(*record->stop), way_to_release));
            return;
        }
        lost(fmt::format("{}: {}", path_, record.error().message));
        if (record.error().code == Code::refused) {
            newer_ = not_stored_ = fmt::format("{}: {}", path_, record.error().message);
            return;
        }
    }
    const auto written = write(at_start_);
    if (written) return;
    not_stored_ = written.error().message;
    log.error("latch not stored: " + not_stored_);
}

Result<void> LatchFile::write(const motion::LatchRecord& record) {
    if (!newer_.empty()) return fail(Code::refused, newer_);
    return file_.write(motion::file_text_of(record));
}

void LatchFile::store(const motion::LatchRecord& record, Stored stored) {
    const std::lock_guard lock(mutex_);
    pending_ = record;
    waiting_.push_back(std::move(stored));
    if (waiting_.size() == 1) thread_.loop().post_from_any_thread([this] { write_pending(); });
}

void LatchFile::write_pending() {
    motion::LatchRecord record;
    std::vector<Stored> waiting;
    {
        const std::lock_guard lock(mutex_);
        record = pending_;
        std::swap(waiting, waiting_);
    }
    if (waiting.empty()) return;
    const auto outcome = write(record);
    for (const Stored& stored : waiting) stored(outcome);
}

}  // namespace caribou
