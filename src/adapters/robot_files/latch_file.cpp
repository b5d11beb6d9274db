#include "adapters/robot_files/latch_file.hpp"

#include <filesystem>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "platform/text_file.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou {
namespace {

constexpr std::string_view way_to_release =
    "Release it at its station or page, or with `caribou robot release --config FILE`.";

}  // namespace

LatchFile::Writer::Writer(const std::string& name, const std::string& path, Log& log)
    : file(path, "." + name), thread({.name = name}, log) {}

LatchFile::LatchFile(const std::string& path, Log& log)
    : log_(log), path_(path), pending_stop_(path), first_("latch", path, log), second_("latch_2", path, log) {
    first_.timer = first_.thread.loop().make_timer([this] { prove(); });
    second_.timer = second_.thread.loop().make_timer([this] { write_pending(second_.file); });
}

std::unique_ptr<LatchFile> LatchFile::open(const std::string& path, Missing missing, Log& log) {
    std::unique_ptr<LatchFile> made(new LatchFile(path, log));
    made->read(missing, log);
    made->first_.timer->arm({});
    for (Writer* const each : {&made->first_, &made->second_})
        if (const auto started = each->thread.start(); !started) log.error(started.error().message);
    return made;
}

void LatchFile::finish() {
    second_.thread.stop();
    // Before the first thread is joined, which may hang.
    write_pending(second_.file);
    first_.thread.stop();
}

Instant LatchFile::sign_of_life() const { return Instant(Duration(sign_of_life_)); }

void LatchFile::prove() {
    const Instant now = first_.thread.loop().clock().now();
    sign_of_life_ = now.time_since_epoch().count();
    first_.timer->arm(now + robot::duty_period);
}

void LatchFile::read(Missing missing, Log& log) {
    const auto pending = pending_stop_.read();
    bool is_lost_now = false;
    const auto lost = [&](const std::string& why) {
        at_start_.stop = pending.value_or(motion::StopCause::state_lost);
        is_lost_now = !pending;
        if (pending) return log.warning(why);
        log.warning(fmt::format("state lost: the robot starts stopped, because {}. {}", why, way_to_release));
    };
    std::error_code error;
    bool is_stored = false;
    if (!std::filesystem::exists(path_, error) && !error) {
        std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
        if (missing == Missing::is_lost) lost(path_ + " is missing");
    } else {
        const auto text = std::filesystem::is_symlink(path_, error)
                              ? fail(Code::malformed, "it is a link, not a regular file")
                              : read_text_file(path_, max_size);
        const auto record = text ? motion::latch_record_from(*text) : fail(text.error());
        is_stored = record.has_value();
        if (record) {
            at_start_ = *record;
        } else {
            lost(fmt::format("{}: {}", path_, record.error().message));
            if (record.error().code == Code::refused)
                newer_ = not_stored_ = fmt::format("{}: {}", path_, record.error().message);
        }
    }
    if (pending && !at_start_.stop) {
        at_start_.stop = pending;
        is_stored = false;
    }
    if (at_start_.stop && !is_lost_now)
        log.warning(fmt::format("the robot starts stopped: it was stopped by {}{}. {}",
                                to_string(*at_start_.stop), is_stored ? "" : ", which was not stored",
                                way_to_release));
    if (!newer_.empty()) return;
    if (!is_stored)
        if (const auto written = write(first_.file, at_start_); !written) {
            not_stored_ = written.error().message;
            log.error("latch not stored: " + not_stored_);
            if (!at_start_.stop) lost("its latch cannot be written");
            return;
        }
    clear_pending_stop();
    has_stop_ = at_start_.stop.has_value();
}

Result<void> LatchFile::write(ConfigFile& file, const motion::LatchRecord& record) const {
    if (!newer_.empty()) return fail(Code::refused, newer_);
    auto written = file.write(motion::file_text_of(record));
    // A robot without its file starts stopped: better than one whose file says that it was released.
    std::error_code ignored;
    if (!written && record.stop && std::filesystem::is_regular_file(path_, ignored))
        std::filesystem::remove(path_, ignored);
    return written;
}

void LatchFile::note(motion::StopCause cause) {
    const std::lock_guard lock(mutex_);
    // A stop that is in the file is not stored again, so that nothing would remove the pending one.
    if (has_stop_) return;
    // An error is reported when storing fails, too.
    std::ignore = pending_stop_.write(cause);
}

void LatchFile::clear_pending_stop() const {
    if (const auto cleared = pending_stop_.clear(); !cleared)
        log_.error(
            fmt::format("{}; the robot will start stopped until it is removed", cleared.error().message));
}

void LatchFile::store(const motion::LatchRecord& record, Stored stored) {
    if (record.stop)
        note(*record.stop);
    else
        clear_pending_stop();
    const std::lock_guard lock(mutex_);
    pending_ = record;
    has_stop_ = false;
    ++requested_;
    waiting_.push_back(std::move(stored));
    first_.thread.loop().post_from_any_thread([this] { write_pending(first_.file); });
    second_.thread.loop().post_from_any_thread(
        [this] { second_.timer->arm(second_.thread.loop().clock().now() + patience); });
}

void LatchFile::write_pending(ConfigFile& file) {
    for (;;) {
        motion::LatchRecord record;
        std::uint64_t number = 0;
        {
            const std::lock_guard lock(mutex_);
            if (written_ == requested_) return;
            record = pending_;
            number = requested_;
            ++writing_;
        }
        const auto outcome = write(file, record);
        std::vector<Stored> waiting;
        {
            const std::lock_guard lock(mutex_);
            written_ = number;
            if (number == requested_) std::swap(waiting, waiting_);
            // A thread that is suspended in an older write may still replace the file.
            if (--writing_ == 0 && number == requested_ && record.stop && outcome) {
                clear_pending_stop();
                has_stop_ = true;
            }
        }
        for (const Stored& stored : waiting) stored(outcome);
    }
}

Result<void> store_stop(const std::string& latch_path, motion::StopCause cause) {
    const PendingStop pending(latch_path);
    std::ignore = pending.write(cause);
    auto stored = ConfigFile(latch_path, ".guard").write(motion::file_text_of({cause}));
    return stored ? pending.clear() : stored;
}

}  // namespace caribou
