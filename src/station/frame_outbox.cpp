#include "station/frame_outbox.hpp"

#include <utility>

namespace caribou::station {

void FrameOutbox::add(Bytes frame) {
    bytes_ += frame.size();
    frames_.push_back(std::move(frame));
}

void FrameOutbox::add_first(Bytes frame) {
    bytes_ += frame.size();
    frames_.insert(frames_.begin() + (sent_ > 0 ? 1 : 0), std::move(frame));
}

Result<void> FrameOutbox::flush(Stream& stream) {
    while (!frames_.empty()) {
        const ByteView rest = ByteView(frames_.front()).subspan(sent_);
        const auto taken = stream.write({&rest, 1});
        if (!taken) return fail(taken.error());
        sent_ += *taken;
        bytes_ -= *taken;
        if (*taken < rest.size()) return {};
        frames_.pop_front();
        sent_ = 0;
    }
    return {};
}

void FrameOutbox::clear() {
    frames_.clear();
    sent_ = 0;
    bytes_ = 0;
}

}  // namespace caribou::station
