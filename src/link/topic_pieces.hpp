#pragma once

#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "link/message.hpp"

/// Messages about topics can be larger than a frame: they travel in pieces, between which everything else
/// gets through.
namespace caribou::link {

/// The message, no larger than LinkLimits::topic, as whole frames.
std::vector<Bytes> topic_frames(ByteView message);

/// Puts the pieces together again.
class TopicJoiner {
public:
    /// The message that this piece completes. limit_exceeded: it would be too large.
    Result<std::optional<Bytes>> add(const TopicPiece& piece);

private:
    Bytes begun_;
};

}  // namespace caribou::link
