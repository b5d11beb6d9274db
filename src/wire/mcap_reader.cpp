#include "wire/mcap.hpp"

namespace caribou::wire {

Result<McapReader> McapReader::open(ByteView file) {
    if (!text_of(file).starts_with(mcap_magic))
        return fail(Code::malformed, "this is no MCAP file: it does not begin with \\x89MCAP0");
    return McapReader(file.subspan(mcap_magic.size()));
}

std::optional<McapMessage> McapReader::next() {
    for (;;) {
        ByteView& from = chunk_.empty() ? file_ : chunk_;
        auto record = take_record(from);
        if (!record && !chunk_.empty()) {
            // A chunk whose checksum holds, and that ends in the middle of a record.
            ++passed_over_;
            chunk_ = {};
            continue;
        }
        if (!record) return std::nullopt;
        if (record->opcode != McapOpcode::message) {
            take(*record);
            continue;
        }
        if (auto message = read_message(record->fields)) return message;
        ++passed_over_;
    }
}

void McapReader::take(const McapRecord& record) {
    switch (record.opcode) {
        case McapOpcode::schema: return read_schema(record.fields);
        case McapOpcode::channel: return read_channel(record.fields);
        case McapOpcode::chunk:
            // There are no chunks within chunks.
            if (chunk_.empty()) enter_chunk(record.fields);
            return;
        case McapOpcode::data_end:
            // What follows repeats what was read.
            complete_ = text_of(file_).ends_with(mcap_magic);
            file_ = {};
            chunk_ = {};
            return;
        default: return;
    }
}

void McapReader::enter_chunk(McapFields fields) {
    fields.take<std::uint64_t>();
    fields.take<std::uint64_t>();
    const auto size = fields.take<std::uint64_t>();
    const auto crc = fields.take<std::uint32_t>();
    const auto compression = fields.take_text();
    const ByteView records = fields.take_raw(fields.take<std::uint64_t>());
    const bool believed = fields.ok() && compression.empty() && records.size() == size &&
                          (crc == 0 || crc == mcap_crc(records));
    if (believed)
        chunk_ = records;
    else
        ++passed_over_;
}

void McapReader::read_schema(McapFields fields) {
    const auto id = fields.take<std::uint16_t>();
    Schema schema{.name = fields.take_text(), .encoding = fields.take_text(), .text = fields.take_text()};
    if (fields.ok() && id != 0)
        schemas_.try_emplace(id, schema);
    else
        ++passed_over_;
}

void McapReader::read_channel(McapFields fields) {
    McapChannel channel{.id = fields.take<std::uint16_t>()};
    const auto schema = fields.take<std::uint16_t>();
    channel.topic = fields.take_text();
    channel.encoding = fields.take_text();
    const auto described = schemas_.find(schema);
    if (!fields.ok() || (schema != 0 && described == schemas_.end())) {
        ++passed_over_;
        return;
    }
    if (schema != 0) {
        channel.schema_name = described->second.name;
        channel.schema_encoding = described->second.encoding;
        channel.schema_text = described->second.text;
    }
    channels_.try_emplace(channel.id, channel);
}

std::optional<McapMessage> McapReader::read_message(McapFields fields) {
    const auto channel = channels_.find(fields.take<std::uint16_t>());
    McapMessage message{.sequence = fields.take<std::uint32_t>(),
                        .log_time = fields.take<std::uint64_t>(),
                        .publish_time = fields.take<std::uint64_t>()};
    if (!fields.ok() || channel == channels_.end()) return std::nullopt;
    message.channel = &channel->second;
    message.data = fields.rest();
    return message;
}

}  // namespace caribou::wire
