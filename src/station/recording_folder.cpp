#include "station/recording_folder.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::station {

RecordingFolder::RecordingFolder(Disk& disk, std::uint64_t limit, Log& log)
    : disk_(disk), limit_(limit), log_(log) {
    const auto names = disk_.list();
    if (!names) return;
    for (const std::string& name : *names) {
        if (!name.ends_with(".mcap") && !name.ends_with(".alog")) continue;
        const std::uint64_t size = disk_.size(name).value_or(0);
        sizes_[name] = size;
        used_ += size;
    }
}

void RecordingFolder::write(RecordingPart part) {
    make_room(part.bytes.size());
    auto file = file_for(part.file);
    if (!file) return give_up(part.file, file.error());
    if (auto written = (*file)->append(part.bytes); !written) return give_up(part.file, written.error());
    sizes_[part.file] += part.bytes.size();
    used_ += part.bytes.size();
    complained_ = false;
    if (part.last) open_.erase(part.file);
}

Result<DiskFile*> RecordingFolder::file_for(const std::string& name) {
    auto& file = open_[name];
    if (file) return file.get();
    auto created = disk_.create(name);
    if (!created) return fail(created.error());
    file = std::move(*created);
    return file.get();
}

void RecordingFolder::make_room(std::size_t bytes) {
    for (auto oldest = sizes_.begin(); used_ + bytes > limit_ && oldest != sizes_.end();) {
        if (open_.contains(oldest->first)) {
            ++oldest;
            continue;
        }
        if (auto removed = disk_.remove(oldest->first); !removed) return;
        used_ -= oldest->second;
        oldest = sizes_.erase(oldest);
    }
}

void RecordingFolder::give_up(const std::string& file, const Error& why) {
    lost_ += 1;
    // What was written of the part is cut off by whoever reads: no chunk is believed that is not whole.
    if (!std::exchange(complained_, true))
        log_.warning(fmt::format("{}: recording is lost: {}", file, why.message));
}

}  // namespace caribou::station
