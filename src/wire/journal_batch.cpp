#include "base/check.hpp"
#include "wire/journal.hpp"
#include "wire/journal_frame.hpp"

namespace caribou::wire {

ByteView journal_header() { return bytes_of(journal_mark); }

JournalBatch::JournalBatch(std::uint64_t number, JournalSeal seal) : number_(number), seal_(seal) {
    open_frame();
}

void JournalBatch::clear() {
    make_room();
    append_le(bytes_, static_cast<std::uint32_t>(record_head_size));
    append_le(bytes_, clear_number);
}

void JournalBatch::add(const JournalValue& value) {
    check(value.number <= JournalValue::max_number, "a variable's number is not the mark of a clear");
    make_room();
    append_le(bytes_, static_cast<std::uint32_t>(value_head_size + value.message.size()));
    append_le(bytes_, value.number);
    append_le(bytes_, value.written);
    append_le(bytes_, value.writes);
    append(bytes_, value.message);
}

Bytes JournalBatch::finish() {
    close_frame(true);
    return std::move(bytes_);
}

void JournalBatch::make_room() {
    if (bytes_.size() - frame_begin_ < FrameHead::size_on_disk + frame_size) return;
    close_frame(false);
    open_frame();
}

void JournalBatch::open_frame() {
    frame_begin_ = bytes_.size();
    bytes_.resize(bytes_.size() + FrameHead::size_on_disk);
}

void JournalBatch::close_frame(bool last) {
    const ByteView body = ByteView(bytes_).subspan(frame_begin_ + FrameHead::size_on_disk);
    FrameHead{.batch = number_,
              .index = frame_index_++,
              .size = static_cast<std::uint32_t>(body.size()),
              .last = last,
              .sealed = seal_ == JournalSeal::sealed,
              .checksum = journal_checksum(body)}
        .store(bytes_.data() + frame_begin_);
}

}  // namespace caribou::wire
