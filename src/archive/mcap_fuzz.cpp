// Reads arbitrary bytes as a recording. The messages read must refer to the input, and writing them to a new
// recording must preserve them.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "archive/mcap.hpp"
#include "base/check.hpp"

namespace {

using namespace caribou;
using namespace caribou::wire;

void read(ByteView file) {
    mcap_times(file);
    if (auto skipping = McapReader::open(file)) {
        skipping->skip_before(std::uint64_t{1} << 60);
        while (skipping->next()) {}
    }
    auto reader = McapReader::open(file);
    if (!reader) return;
    std::vector<McapMessage> messages;
    while (const auto message = reader->next()) {
        check(message->data.empty() ||
                  (message->data.data() >= file.data() &&
                   message->data.data() + message->data.size() <= file.data() + file.size()),
              "a message stands in the file");
        messages.push_back(*message);
    }
    check(messages.size() <= file.size(), "each message takes room");

    McapWriter writer({.chunk_size = 100});
    std::map<const McapChannel*, std::uint16_t> numbers;
    for (const auto& [id, channel] : reader->channels())
        numbers[&channel] = writer.add_channel(channel.topic, channel.encoding, 0);
    for (const McapMessage& message : messages)
        writer.add(numbers.at(message.channel), message.log_time, message.publish_time, message.data);
    const Bytes written = writer.finish();
    auto again = McapReader::open(written);
    check(again.has_value(), "what was written is a recording");
    for (const McapMessage& message : messages) {
        const auto copy = again->next();
        check(copy && copy->log_time == message.log_time && copy->channel->topic == message.channel->topic &&
                  text_of(copy->data) == text_of(message.data),
              "what was written is read");
    }
    check(!again->next() && again->complete() && again->passed_over() == 0, "and nothing else");
}

/// Returns a recording with one chunk of these records, with a valid checksum.
Bytes with_chunk(ByteView records) {
    McapRecords file;
    file.put_raw(bytes_of(mcap_magic));
    file.begin(McapOpcode::chunk);
    file.put(std::uint64_t{0});
    file.put(std::uint64_t{0});
    file.put(std::uint64_t{records.size()});
    file.put(mcap_crc(records));
    file.put(std::string_view());
    file.put(std::uint64_t{records.size()});
    file.put_raw(records);
    file.end();
    return Bytes(file.bytes().begin(), file.bytes().end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView input = std::as_bytes(std::span(data, size));
    read(input);
    read(with_chunk(input));
    return 0;
}
