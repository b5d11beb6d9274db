#include "bus/recorder.hpp"

#include <fmt/format.h>

namespace caribou::bus {

bool Recorder::is_full(Instant now) const {
    const std::uint64_t size = flushed_ + writer_->lines().size() + writer_->side().size();
    return (options_.rotate_bytes > 0 && size >= options_.rotate_bytes) ||
           (options_.rotate_after > Duration::zero() && now - began_ >= options_.rotate_after);
}

Result<void> Recorder::begin(Instant now, double unix_seconds) {
    if (writer_) {
        if (auto flushed = flush(); !flushed) return flushed;
        if (auto closed = files_.close(); !closed) return closed;
    }
    const bool one_of_many = options_.rotate_bytes > 0 || options_.rotate_after > Duration::zero();
    stats_.logs += 1;
    stats_.log = one_of_many ? fmt::format("{}_{:03}", options_.name, stats_.logs) : options_.name;
    if (auto opened = files_.open(stats_.log); !opened) return opened;
    writer_.emplace(stats_.log, unix_seconds, wire::AlogWriter::Awkward::aside, options_.style);
    stats_.bytes += writer_->lines().size();
    began_ = now;
    flushed_ = 0;
    return {};
}

Result<void> Recorder::add(const wire::MessageView& message, Instant now, double unix_seconds) {
    if (is_full(now))
        if (auto began = begin(now, unix_seconds); !began) return began;
    const std::size_t before = writer_->lines().size() + writer_->side().size();
    writer_->add(message);
    const std::size_t after = writer_->lines().size() + writer_->side().size();
    stats_.messages += 1;
    stats_.bytes += after - before;
    return after >= batch ? flush() : Result<void>{};
}

Result<void> Recorder::flush() {
    // The data that the lines refer to is written first.
    if (!writer_->side().empty())
        if (auto written = files_.append_side(writer_->side()); !written) return written;
    if (!writer_->lines().empty())
        if (auto written = files_.append_lines(writer_->lines()); !written) return written;
    flushed_ += writer_->lines().size() + writer_->side().size();
    writer_->clear();
    return {};
}

Result<void> Recorder::finish() {
    if (auto flushed = flush(); !flushed) return flushed;
    return files_.close();
}

}  // namespace caribou::bus
