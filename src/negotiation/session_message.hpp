#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "negotiation/transport.hpp"

/// The messages about topics that the two ends of a session exchange, as specified in
/// docs/formats/topic-session.md.
namespace caribou::negotiation {

using ReaderNumber = std::uint32_t;  ///< assigned by the end that has the reader
using WriterNumber = std::uint64_t;  ///< assigned by the end that has the writer

/// A reader of the sender subscribes to a topic of the receiver.
struct ReaderUp {
    ReaderNumber reader = 0;
    Topic topic{};
    TopicQos qos{};

    friend bool operator==(const ReaderUp&, const ReaderUp&) = default;
};
struct ReaderDown {
    ReaderNumber reader = 0;

    friend bool operator==(const ReaderDown&, const ReaderDown&) = default;
};
/// A writer of the sender was matched with a reader of the receiver.
struct WriterUp {
    ReaderNumber reader = 0;
    WriterNumber writer = 0;
    std::string name{};

    friend bool operator==(const WriterUp&, const WriterUp&) = default;
};
struct WriterDown {
    ReaderNumber reader = 0;
    WriterNumber writer = 0;

    friend bool operator==(const WriterDown&, const WriterDown&) = default;
};
struct Written {
    ReaderNumber reader = 0;
    WriterNumber writer = 0;
    std::int64_t stamp = 0;  ///< microseconds since 1970
    ByteView sample{};       ///< refers to the bytes of the message
};
using SessionMessage = std::variant<ReaderUp, ReaderDown, WriterUp, WriterDown, Written>;

/// Returns the bytes of the message.
Bytes encode(const SessionMessage& message);
/// Parses one message. The sample of a Written refers to `bytes`. Returns an error if the message is
/// malformed.
Result<SessionMessage> decode_session_message(ByteView bytes);

}  // namespace caribou::negotiation
