#include "archive/mcap.hpp"

#include <limits>

#include "archive/zstd.hpp"

namespace caribou::wire {

Result<McapReader> McapReader::open(ByteView file) {
    if (!text_of(file).starts_with(mcap_magic))
        return fail(Code::malformed, "not an MCAP file: it does not begin with \\x89MCAP0");
    return McapReader(file.subspan(mcap_magic.size()));
}

void McapReader::skip_before(std::uint64_t time) {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::map<std::uint16_t, std::size_t> last;  // chunk by channel
    std::size_t ended = none;                   // the present chunk, if it ends before `time`
    ByteView records = file_;
    while (auto record = take_record(records)) {
        if (record->opcode == McapOpcode::data_end) break;
        if (record->opcode == McapOpcode::chunk) {
            record->fields.number<std::uint64_t>();
            const bool is_before = record->fields.number<std::uint64_t>() <= time && record->fields.ok();
            ended = is_before ? skipped_.size() : none;
            skipped_.push_back(false);
        } else if (record->opcode == McapOpcode::message_index && ended != none) {
            // Chunks without an index are read.
            skipped_[ended] = true;
            last[record->fields.number<std::uint16_t>()] = ended;
        }
    }
    for (const auto& entry : last) skipped_[entry.second] = false;
}

std::optional<McapMessage> McapReader::next() {
    for (;;) {
        ByteView& from = chunk_.empty() ? file_ : chunk_;
        auto record = take_record(from);
        if (!record && !chunk_.empty()) {
            // The chunk has a valid checksum but ends in the middle of a record.
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
            // Chunks cannot be nested.
            if (!chunk_.empty()) return;
            if (const std::size_t number = chunk_count_++; number >= skipped_.size() || !skipped_[number])
                enter_chunk(record.fields);
            return;
        case McapOpcode::data_end:
            // The rest repeats records that were already read.
            complete_ = text_of(file_).ends_with(mcap_magic);
            file_ = {};
            chunk_ = {};
            return;
        default: return;
    }
}

void McapReader::enter_chunk(FieldReader fields) {
    fields.number<std::uint64_t>();
    fields.number<std::uint64_t>();
    const auto size = fields.number<std::uint64_t>();
    const auto crc = fields.number<std::uint32_t>();
    const auto compression = text_of(fields.sized<std::uint32_t>());
    const ByteView records = fields.sized<std::uint64_t>();
    const ByteView content = fields.ok() ? content_of(compression, records, size) : ByteView{};
    if (content.size() == size && (crc == 0 || crc == mcap_crc(content)))
        chunk_ = content;
    else
        ++passed_over_;
}

ByteView McapReader::content_of(std::string_view compression, ByteView stored, std::uint64_t size) {
    content_.reset();
    if (compression.empty()) return stored;
    if (compression != mcap_zstd || size > max_chunk) return {};
    auto content = zstd_content(stored, size);
    if (!content) return {};
    content_ = std::make_shared<const Bytes>(std::move(*content));
    return *content_;
}

void McapReader::read_schema(FieldReader fields) {
    const auto id = fields.number<std::uint16_t>();
    const auto text = [&] { return std::string(text_of(fields.sized<std::uint32_t>())); };
    Schema schema{.name = text(), .encoding = text(), .text = text()};
    if (fields.ok() && id != 0)
        schemas_.try_emplace(id, std::move(schema));
    else
        ++passed_over_;
}

void McapReader::read_channel(FieldReader fields) {
    McapChannel channel{.id = fields.number<std::uint16_t>()};
    const auto schema = fields.number<std::uint16_t>();
    channel.topic = text_of(fields.sized<std::uint32_t>());
    channel.encoding = text_of(fields.sized<std::uint32_t>());
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

std::optional<McapMessage> McapReader::read_message(FieldReader fields) {
    const auto channel = channels_.find(fields.number<std::uint16_t>());
    McapMessage message{.sequence = fields.number<std::uint32_t>(),
                        .log_time = fields.number<std::uint64_t>(),
                        .publish_time = fields.number<std::uint64_t>()};
    if (!fields.ok() || channel == channels_.end()) return std::nullopt;
    message.channel = &channel->second;
    message.data = fields.rest();
    message.chunk = content_;
    return message;
}

}  // namespace caribou::wire
