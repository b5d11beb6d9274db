#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "negotiation/transport.hpp"

/// What two ends of a session say about topics, as docs/formats/topic-session.md lays it out.
namespace caribou::negotiation {

using ReaderNumber = std::uint32_t;  ///< given by the end that has the reader
using WriterNumber = std::uint64_t;  ///< given by the end that has the writer

/// Somebody here wants to read a topic of yours.
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
/// What your reader hears here.
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
    ByteView sample{};       ///< in the message's own bytes
};
using SessionMessage = std::variant<ReaderUp, ReaderDown, WriterUp, WriterDown, Written>;

Bytes encode(const SessionMessage& message);
/// The sample stands in the bytes.
Result<SessionMessage> decode_session_message(ByteView bytes);

}  // namespace caribou::negotiation
