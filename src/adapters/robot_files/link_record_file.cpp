#include "adapters/robot_files/link_record_file.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "platform/text_file.hpp"

namespace caribou {

Result<std::unique_ptr<LinkRecordFile>> LinkRecordFile::open(const std::string& path, const Clock& clock) {
    robot::LinkRecord record;
    std::string no_backup;
    std::error_code error;
    if (std::filesystem::exists(path, error)) {
        const auto text = read_text_file(path, 4096);
        if (!text) return fail(text.error());
        auto read = robot::link_record_from(*text);
        if (!read && read.error().code == Code::refused)
            return fail(Code::refused,
                        fmt::format("{}: {}; install a newer one", path, read.error().message));
        if (!read)
            return fail(read.error().code,
                        fmt::format("{} is damaged ({}); remove it, and the robot belongs to no station",
                                    path, read.error().message));
        if (read->version < robot::LinkRecord::newest)
            if (auto saved = write_text_file(fmt::format("{}.v{}", path, read->version), *text); !saved)
                no_backup = std::move(saved.error().message);
        record = std::move(*read);
    } else if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty()) {
        std::filesystem::create_directories(folder, error);
    }
    std::unique_ptr<LinkRecordFile> made(
        new LinkRecordFile(path, robot::next_start(std::move(record), clock.unix_seconds())));
    made->not_stored_ = std::move(no_backup);
    if (made->not_stored_.empty())
        if (auto written = made->file_.write(robot::file_text_of(made->record_)); !written)
            made->not_stored_ = std::move(written.error().message);
    // Higher than the number of an earlier start that was not stored either, unless the machine was
    // restarted: a station accepts a lower number of a robot that proves its key.
    if (!made->not_stored_.empty()) made->record_.boot += static_cast<std::uint64_t>(clock.boot_seconds());
    return made;
}

std::string LinkRecordFile::station() {
    const std::lock_guard held(lock_);
    return record_.station;
}

Result<void> LinkRecordFile::keep(const std::string& station) {
    const std::lock_guard held(lock_);
    robot::LinkRecord changed = record_;
    changed.station = station;
    if (auto written = file_.write(robot::file_text_of(changed)); !written) return written;
    record_ = std::move(changed);
    return {};
}

}  // namespace caribou
