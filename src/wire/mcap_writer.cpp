#include <algorithm>
#include <utility>

#include "wire/mcap.hpp"

namespace caribou::wire {

void McapWriter::Span::take(std::uint64_t time, bool is_first) {
    first = is_first ? time : std::min(first, time);
    last = is_first ? time : std::max(last, time);
}

McapWriter::McapWriter(Options options) : options_(std::move(options)) {
    bytes_.put_raw(bytes_of(mcap_magic));
    bytes_.begin(McapOpcode::header);
    bytes_.put(options_.profile);
    bytes_.put(options_.library);
    bytes_.end();
}

std::uint16_t McapWriter::add_schema(std::string_view name, std::string_view encoding,
                                     std::string_view text) {
    ++schema_count_;
    for (McapRecords* to : {&bytes_, &schemas_}) {
        to->begin(McapOpcode::schema);
        to->put(schema_count_);
        to->put(name);
        to->put(encoding);
        to->put(text);
        to->end();
    }
    return schema_count_;
}

std::uint16_t McapWriter::add_channel(std::string_view topic, std::string_view encoding, std::uint16_t schema,
                                      const McapMetadata& metadata) {
    const auto id = static_cast<std::uint16_t>(counts_.size());
    counts_.emplace(id, 0);
    std::uint32_t metadata_size = 0;
    for (const auto& [key, value] : metadata)
        metadata_size += static_cast<std::uint32_t>(key.size() + value.size() + 2 * sizeof(std::uint32_t));
    for (McapRecords* to : {&bytes_, &channels_}) {
        to->begin(McapOpcode::channel);
        to->put(id);
        to->put(schema);
        to->put(topic);
        to->put(encoding);
        to->put(metadata_size);
        for (const auto& [key, value] : metadata) {
            to->put(key);
            to->put(value);
        }
        to->end();
    }
    return id;
}

void McapWriter::add(std::uint16_t channel, std::uint64_t log_time, std::uint64_t publish_time,
                     ByteView data) {
    chunk_messages_[channel].push_back({log_time, chunk_.size()});
    std::uint64_t& count = counts_[channel];
    chunk_.begin(McapOpcode::message);
    chunk_.put(channel);
    chunk_.put(static_cast<std::uint32_t>(count));
    chunk_.put(log_time);
    chunk_.put(publish_time);
    chunk_.put_raw(data);
    chunk_.end();
    chunk_times_.take(log_time, chunk_count_ == 0);
    times_.take(log_time, messages_ == 0);
    ++count;
    ++chunk_count_;
    ++messages_;
    if (chunk_.size() >= options_.chunk_size) end_chunk();
}

void McapWriter::end_chunk() {
    if (chunk_.empty()) return;
    ChunkIndex index{.times = chunk_times_,
                     .start = offset(),
                     .length = 0,
                     .message_indexes = {},
                     .index_length = 0,
                     .size = chunk_.size()};
    bytes_.begin(McapOpcode::chunk);
    bytes_.put(chunk_times_.first);
    bytes_.put(chunk_times_.last);
    bytes_.put(std::uint64_t{chunk_.size()});
    const std::uint32_t chunk_crc = mcap_crc(chunk_.bytes());
    bytes_.put(chunk_crc);
    bytes_.put(std::string_view());  // not compressed
    bytes_.put(std::uint64_t{chunk_.size()});
    const std::size_t head_end = bytes_.size();
    bytes_.put_raw(chunk_.bytes());
    bytes_.end();
    cover(head_end);
    crc_ = joined_mcap_crc(crc_, chunk_crc, chunk_.size());
    covered_ = bytes_.size();
    index.length = offset() - index.start;

    const std::uint64_t indexes_start = offset();
    for (auto& [channel, messages] : chunk_messages_) {
        if (messages.empty()) continue;
        // Readers that seek rely on the order; messages may have been added in another.
        std::ranges::stable_sort(messages, {}, &McapIndexEntry::time);
        index.message_indexes.emplace(channel, offset());
        bytes_.begin(McapOpcode::message_index);
        bytes_.put(channel);
        bytes_.put(static_cast<std::uint32_t>(messages.size() * sizeof(McapIndexEntry)));
        for (const McapIndexEntry& message : messages) {
            bytes_.put(message.time);
            bytes_.put(message.offset);
        }
        bytes_.end();
        messages.clear();
    }
    index.index_length = offset() - indexes_start;
    indexes_.push_back(std::move(index));
    chunk_.clear();
    chunk_count_ = 0;
}

void McapWriter::cover(std::size_t end) {
    crc_ = mcap_crc(bytes_.bytes().subspan(covered_, end - covered_), crc_);
    covered_ = end;
}

void McapWriter::clear() {
    cover(bytes_.size());
    covered_ = 0;
    taken_ += bytes_.size();
    bytes_.clear();
}

void McapWriter::finish() {
    end_chunk();
    cover(bytes_.size());
    bytes_.begin(McapOpcode::data_end);
    bytes_.put(crc_);
    bytes_.end();
    write_summary(offset());
    bytes_.put_raw(bytes_of(mcap_magic));
}

void McapWriter::write_summary(std::uint64_t summary_start) {
    McapRecords summary;
    McapRecords offsets;
    const auto group = [&](McapOpcode opcode, const McapRecords& records) {
        if (records.empty()) return;
        offsets.begin(McapOpcode::summary_offset);
        offsets.put(static_cast<std::uint8_t>(opcode));
        offsets.put(summary_start + summary.size());
        offsets.put(std::uint64_t{records.size()});
        offsets.end();
        summary.put_raw(records.bytes());
    };
    group(McapOpcode::schema, schemas_);
    group(McapOpcode::channel, channels_);
    McapRecords statistics;
    write_statistics(statistics);
    group(McapOpcode::statistics, statistics);
    McapRecords chunks;
    for (const ChunkIndex& index : indexes_) {
        chunks.begin(McapOpcode::chunk_index);
        chunks.put(index.times.first);
        chunks.put(index.times.last);
        chunks.put(index.start);
        chunks.put(index.length);
        chunks.put_map(index.message_indexes);
        chunks.put(index.index_length);
        chunks.put(std::string_view());
        chunks.put(index.size);
        chunks.put(index.size);
        chunks.end();
    }
    group(McapOpcode::chunk_index, chunks);

    const std::uint64_t offsets_start = summary_start + summary.size();
    summary.put_raw(offsets.bytes());
    summary.begin(McapOpcode::footer);
    summary.put(summary_start);
    summary.put(offsets_start);
    // The checksum covers all of the summary up to itself, the footer's head included, whose length
    // is only known to end().
    summary.put(std::uint32_t{0});
    summary.end();
    const ByteView whole = summary.bytes();
    const ByteView covered = whole.first(whole.size() - sizeof(std::uint32_t));
    bytes_.put_raw(covered);
    bytes_.put(mcap_crc(covered));
}

void McapWriter::write_statistics(McapRecords& to) const {
    to.begin(McapOpcode::statistics);
    to.put(messages_);
    to.put(schema_count_);
    to.put(static_cast<std::uint32_t>(counts_.size()));
    to.put(std::uint32_t{0});  // attachments
    to.put(std::uint32_t{0});  // metadata
    to.put(static_cast<std::uint32_t>(indexes_.size()));
    to.put(times_.first);
    to.put(times_.last);
    to.put_map(counts_);
    to.end();
}

}  // namespace caribou::wire
