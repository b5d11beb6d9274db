#include "link/topic_pieces.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/limits.hpp"

namespace caribou::link {

std::vector<Bytes> topic_frames(ByteView message) {
    check(message.size() <= LinkLimits::topic, "a message about topics is within its limit");
    std::vector<Bytes> frames;
    do {
        const ByteView piece = message.first(std::min(message.size(), LinkLimits::piece));
        message = message.subspan(piece.size());
        frames.push_back(frame_of(TopicPiece{message.empty(), Bytes(piece.begin(), piece.end())}));
    } while (!message.empty());
    return frames;
}

Result<std::optional<Bytes>> TopicJoiner::add(const TopicPiece& piece) {
    const std::size_t size = begun_.size() + piece.bytes.size();
    if (size > LinkLimits::topic)
        return fail(Code::limit_exceeded, limit_reached("topic", size, LinkLimits::topic, "bytes"));
    append(begun_, piece.bytes);
    if (!piece.last) return std::nullopt;
    return std::exchange(begun_, {});
}

}  // namespace caribou::link
