#include "station/recording_writer.hpp"

#include <utility>

#include "station/recording_version.hpp"

namespace caribou::station {

void RecordingWriter::write(RecordingBatch batch) {
    if (batch.number == 0) {
        if (open_) forget_open();
        open_.emplace(batch.name, wire::McapWriter({.profile = recording_profile(),
                                                    .chunk_size = longest_chunk,
                                                    .compress = compress_}));
    }
    if (!open_ || open_->name != batch.name || open_->next != batch.number) {
        ++lost_;
        return forget_open();
    }
    ++open_->next;
    open_->mcap.add(batch.messages);
    const auto append = [&](const char* ending, std::uint64_t& at, Bytes bytes) {
        if (bytes.empty() && !batch.last) return;
        const std::size_t size = bytes.size();
        folder_.write({batch.name + ending, at, std::move(bytes), batch.last});
        at += size;
    };
    const std::uint64_t before = open_->mcap_size;
    append(".mcap", open_->mcap_size, batch.last ? open_->mcap.finish() : open_->mcap.take());
    append(".alog", open_->alog_size, std::move(batch.lines));
    written_ += open_->mcap_size - before;
    if (batch.last) open_.reset();
}

/// A recording with a missing batch ends before it.
void RecordingWriter::forget_open() {
    if (!open_) return;
    folder_.close(open_->name + ".mcap");
    folder_.close(open_->name + ".alog");
    open_.reset();
}

void RecordingWriter::forget(const std::string& name) {
    folder_.forget(name + ".mcap");
    folder_.forget(name + ".alog");
}

}  // namespace caribou::station
