#pragma once

#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "link/message.hpp"

/// Topic messages can be larger than a frame: they are sent in parts, and other messages are sent in between.
namespace caribou::link {

/// Splits a message of at most LinkLimits::topic bytes into complete frames.
std::vector<Bytes> topic_frames(ByteView message);

/// Joins the parts of messages.
class TopicJoiner {
public:
    /// Returns the message completed by this part, or nullopt. Fails with limit_exceeded if it becomes too
    /// large.
    Result<std::optional<Bytes>> add(const TopicPiece& piece);

private:
    Bytes begun_;
};

}  // namespace caribou::link
