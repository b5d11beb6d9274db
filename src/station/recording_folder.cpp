#include "station/recording_folder.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::station {
namespace {

constexpr int parts_until_good = 20;  // a disk that was full may occasionally accept a small part

}  // namespace

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
    const auto file = file_for(part);
    if (!file) return give_up(part, file.error());
    if (const auto written = (*file)->append(part.bytes); !written) return give_up(part, written.error());
    sizes_[part.file] += part.bytes.size();
    used_ += part.bytes.size();
    if (++good_parts_ >= parts_until_good) complained_ = false;
    if (part.last) open_.erase(part.file);
}

Result<DiskFile*> RecordingFolder::file_for(const RecordingPart& part) {
    if (part.at == 0) {
        auto created = disk_.create(part.file);
        if (!created) return fail(created.error());
        used_ -= std::exchange(sizes_[part.file], 0);
        return (open_[part.file] = std::move(*created)).get();
    }
    const auto known = open_.find(part.file);
    if (known == open_.end() || part.at != sizes_[part.file])
        return fail(Code::unavailable, "an earlier part of the file is lost");
    return known->second.get();
}

void RecordingFolder::forget(const std::string& file) {
    const auto known = sizes_.find(file);
    if (known == sizes_.end() || open_.contains(file)) return;
    used_ -= known->second;
    sizes_.erase(known);
}

void RecordingFolder::make_room(std::size_t bytes) {
    for (auto oldest = sizes_.begin(); used_ + bytes > limit_ && oldest != sizes_.end();) {
        if (open_.contains(oldest->first)) {
            ++oldest;
            continue;
        }
        // A missing file was removed by hand.
        if (auto removed = disk_.remove(oldest->first); !removed && removed.error().code != Code::not_found)
            return;
        used_ -= oldest->second;
        oldest = sizes_.erase(oldest);
    }
}

/// The file ends here. Readers discard an incomplete part: a chunk must be complete to be used.
void RecordingFolder::give_up(const RecordingPart& part, const Error& why) {
    lost_ += 1;
    good_parts_ = 0;
    if (!std::exchange(complained_, true))
        log_.warning(fmt::format("{}: recording is lost: {}", part.file, why.message));
    if (open_.erase(part.file) == 0) return;
    if (part.at == 0 && disk_.remove(part.file)) {
        sizes_.erase(part.file);
        return;
    }
    const std::uint64_t size = disk_.size(part.file).value_or(part.at);
    used_ += size - sizes_[part.file];
    sizes_[part.file] = size;
}

}  // namespace caribou::station
