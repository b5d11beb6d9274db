#include "link/frame_outbox.hpp"

#include <utility>

#include "link/topic_pieces.hpp"

namespace caribou::link {

void FrameOutbox::add(Bytes frame) {
    bytes_ += frame.size();
    frames_.push_back(std::move(frame));
}

void FrameOutbox::add_first(Bytes frame) {
    bytes_ += frame.size();
    frames_.push_front(std::move(frame));
}

void FrameOutbox::add_topic(ByteView message) {
    for (Bytes& frame : topic_frames(message)) {
        topic_bytes_ += frame.size();
        topics_.push_back(std::move(frame));
    }
}

bool FrameOutbox::begin_next() {
    const bool is_topic = frames_.empty();
    std::deque<Bytes>& lane = is_topic ? topics_ : frames_;
    if (lane.empty()) return false;
    leaving_ = std::move(lane.front());
    lane.pop_front();
    (is_topic ? topic_bytes_ : bytes_) -= leaving_.size();
    sent_ = 0;
    return true;
}

Result<void> FrameOutbox::flush(Stream& stream) {
    while (sent_ < leaving_.size() || begin_next()) {
        const ByteView rest = ByteView(leaving_).subspan(sent_);
        const auto taken = stream.write({&rest, 1});
        if (!taken) return fail(taken.error());
        sent_ += *taken;
        if (*taken < rest.size()) return {};
    }
    return {};
}

void FrameOutbox::clear() { *this = {}; }

}  // namespace caribou::link
