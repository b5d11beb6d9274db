#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace caribou::wire {

/// Schemas, channels and messages that McapWriter::add() writes later, possibly on another thread. Collecting
/// them only copies bytes.
struct McapBatch {
    struct Schema {
        std::string name{};
        std::string encoding{};
        std::string text{};
    };
    struct Channel {
        std::string topic{};
        std::string encoding{};
        std::uint16_t schema = 0;  ///< id; 0: none
    };
    struct Message {
        std::uint16_t channel = 0;  ///< id
        std::uint64_t time = 0;     ///< nanoseconds since 1970
        std::size_t size = 0;       ///< bytes in `data`, after those of the messages before
    };

    /// Ids follow from the order in which schemas and channels were added to the writer: schemas from 1,
    /// channels from 0.
    std::vector<Schema> schemas{};
    std::vector<Channel> channels{};
    std::vector<Message> messages{};
    Bytes data{};

    bool empty() const { return schemas.empty() && channels.empty() && messages.empty(); }
    void add(std::uint16_t channel, std::uint64_t time, ByteView message) {
        messages.push_back({channel, time, message.size()});
        data.insert(data.end(), message.begin(), message.end());
    }
    /// Returns the memory that it uses, in bytes, except for schemas and channels.
    std::size_t size() const { return data.size() + messages.size() * sizeof(Message); }
};

}  // namespace caribou::wire
