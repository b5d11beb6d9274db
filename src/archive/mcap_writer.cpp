#include <algorithm>
#include <array>
#include <utility>

#include "archive/mcap.hpp"
#include "archive/zstd.hpp"
#include "base/check.hpp"

namespace caribou::wire {
namespace {

/// Size of a chunk record up to its messages.
constexpr std::size_t chunk_head_size = mcap_record_head + 8 + 8 + 8 + 4 + 4 + 8;
/// Size of the fields of a message before its data.
constexpr std::uint64_t message_head_size = 2 + 4 + 8 + 8;

}  // namespace

void McapWriter::Span::take(std::uint64_t time, bool is_first) {
    first = is_first ? time : std::min(first, time);
    last = is_first ? time : std::max(last, time);
}

McapWriter::McapWriter(const Options& options)
    : chunk_size_(options.chunk_size), compression_(options.compress ? mcap_zstd : std::string_view()) {
    bytes_.put_raw(bytes_of(mcap_magic));
    bytes_.begin(McapOpcode::header);
    bytes_.put(options.profile);
    bytes_.put(options.library);
    bytes_.end();
}

std::uint16_t McapWriter::add_schema(std::string_view name, std::string_view encoding,
                                     std::string_view text) {
    ++schema_count_;
    const std::size_t start = schemas_.size();
    schemas_.begin(McapOpcode::schema);
    schemas_.put(schema_count_);
    schemas_.put(name);
    schemas_.put(encoding);
    schemas_.put(text);
    schemas_.end();
    put_before_chunk(schemas_.bytes().subspan(start));
    return schema_count_;
}

std::uint16_t McapWriter::add_channel(std::string_view topic, std::string_view encoding, std::uint16_t schema,
                                      const McapMetadata& metadata) {
    check(streams_.size() < max_channels, "a channel has a number of its own");
    const auto id = static_cast<std::uint16_t>(streams_.size());
    streams_.emplace_back();
    std::uint32_t metadata_size = 0;
    for (const auto& [key, value] : metadata)
        metadata_size += static_cast<std::uint32_t>(key.size() + value.size() + 2 * sizeof(std::uint32_t));
    const std::size_t start = channels_.size();
    channels_.begin(McapOpcode::channel);
    channels_.put(id);
    channels_.put(schema);
    channels_.put(topic);
    channels_.put(encoding);
    channels_.put(metadata_size);
    for (const auto& [key, value] : metadata) {
        channels_.put(key);
        channels_.put(value);
    }
    channels_.end();
    put_before_chunk(channels_.bytes().subspan(start));
    return id;
}

void McapWriter::put_before_chunk(ByteView record) {
    bytes_.insert(chunk_messages_ == 0 ? bytes_.size() : chunk_start_, record);
    chunk_start_ += record.size();
}

void McapWriter::add(std::uint16_t channel, std::uint64_t log_time, std::uint64_t publish_time,
                     ByteView data) {
    check(channel < streams_.size(), "a message comes on a channel that was added");
    if (chunk_messages_ == 0) begin_chunk();
    Channel& stream = streams_[channel];
    stream.in_chunk.push_back({log_time, bytes_.size() - chunk_start_ - chunk_head_size});
    const auto sequence = static_cast<std::uint32_t>(stream.count);
    bytes_.put(std::to_underlying(McapOpcode::message), message_head_size + data.size(), channel, sequence,
               log_time, publish_time);
    bytes_.put_raw(data);
    chunk_times_.take(log_time, chunk_messages_ == 0);
    times_.take(log_time, messages_ == 0);
    ++stream.count;
    ++chunk_messages_;
    ++messages_;
    if (bytes_.size() - chunk_start_ >= chunk_size_) end_chunk();
}

void McapWriter::add(const McapBatch& batch) {
    for (const auto& [name, encoding, text] : batch.schemas) add_schema(name, encoding, text);
    for (const auto& [topic, encoding, schema] : batch.channels) add_channel(topic, encoding, schema);
    ByteView rest = batch.data;
    for (const auto& [channel, time, size] : batch.messages) {
        add(channel, time, time, rest.first(size));
        rest = rest.subspan(size);
    }
}

void McapWriter::begin_chunk() {
    chunk_start_ = bytes_.size();
    bytes_.put_raw(std::array<std::byte, chunk_head_size>{});
}

void McapWriter::end_chunk() {
    if (chunk_messages_ == 0) return;
    const std::uint64_t length = bytes_.size() - chunk_start_;
    const ByteView messages = bytes_.bytes().last(length - chunk_head_size);
    const std::uint64_t size = messages.size();
    const std::optional<Bytes> compressed =
        compression_.empty() ? std::nullopt : std::optional(zstd_compressed(messages));
    const std::uint64_t stored = compressed ? compressed->size() : size;
    McapRecords head;
    head.put(std::to_underlying(McapOpcode::chunk),
             chunk_head_size - mcap_record_head + compression_.size() + stored, chunk_times_.first,
             chunk_times_.last, size, mcap_crc(messages));
    head.put(compression_);
    head.put(stored);
    if (compressed) {
        bytes_.cut(chunk_start_);
        bytes_.put_raw(head.bytes());
        bytes_.put_raw(*compressed);
    } else {
        bytes_.overwrite(chunk_start_, head.bytes());
    }
    index_chunk(stored, size);
    ++chunk_count_;
    chunk_messages_ = 0;
}

void McapWriter::index_chunk(std::uint64_t stored, std::uint64_t content) {
    const std::uint64_t start = taken_ + chunk_start_;
    const std::uint64_t indexes_start = size();
    const std::uint64_t length = indexes_start - start;
    McapRecords places;
    for (std::size_t channel = 0; channel < streams_.size(); ++channel) {
        auto& messages = streams_[channel].in_chunk;
        if (messages.empty()) continue;
        // Readers that seek require sorted entries; messages may have been added in another order.
        if (!std::ranges::is_sorted(messages, {}, &McapIndexEntry::time))
            std::ranges::stable_sort(messages, {}, &McapIndexEntry::time);
        const auto id = static_cast<std::uint16_t>(channel);
        places.put(id, size());
        bytes_.begin(McapOpcode::message_index);
        bytes_.put(id);
        bytes_.put(text_of(std::as_bytes(std::span(messages))));
        bytes_.end();
        messages.clear();
    }
    chunk_indexes_.begin(McapOpcode::chunk_index);
    chunk_indexes_.put(chunk_times_.first, chunk_times_.last, start, length);
    chunk_indexes_.put(text_of(places.bytes()));
    chunk_indexes_.put(size() - indexes_start);
    chunk_indexes_.put(compression_);
    chunk_indexes_.put(stored, content);
    chunk_indexes_.end();
}

Bytes McapWriter::take() {
    end_chunk();
    crc_ = mcap_crc(bytes_.bytes(), crc_);
    taken_ += bytes_.size();
    return bytes_.take();
}

Bytes McapWriter::finish() {
    Bytes last = take();
    bytes_.begin(McapOpcode::data_end);
    bytes_.put(crc_);
    bytes_.end();
    write_summary();
    bytes_.put_raw(bytes_of(mcap_magic));
    append(last, bytes_.bytes());
    return last;
}

void McapWriter::write_summary() {
    const std::uint64_t summary_start = size();
    McapRecords summary;
    McapRecords offsets;
    const auto group = [&](McapOpcode opcode, const McapRecords& records) {
        if (records.empty()) return;
        offsets.begin(McapOpcode::summary_offset);
        offsets.put(std::to_underlying(opcode), summary_start + summary.size(),
                    std::uint64_t{records.size()});
        offsets.end();
        summary.put_raw(records.bytes());
    };
    group(McapOpcode::schema, schemas_);
    group(McapOpcode::channel, channels_);
    McapRecords statistics;
    write_statistics(statistics);
    group(McapOpcode::statistics, statistics);
    group(McapOpcode::chunk_index, chunk_indexes_);

    const std::uint64_t offsets_start = summary_start + summary.size();
    summary.put_raw(offsets.bytes());
    summary.begin(McapOpcode::footer);
    summary.put(summary_start, offsets_start);
    // The checksum covers the whole summary up to the checksum itself, including the length of the footer
    // record, which end() fills in.
    summary.put(std::uint32_t{0});
    summary.end();
    const ByteView whole = summary.bytes();
    const ByteView covered = whole.first(whole.size() - sizeof(std::uint32_t));
    bytes_.put_raw(covered);
    bytes_.put(mcap_crc(covered));
}

void McapWriter::write_statistics(McapRecords& to) const {
    to.begin(McapOpcode::statistics);
    constexpr std::uint32_t attachments = 0;
    constexpr std::uint32_t metadata = 0;
    to.put(messages_, schema_count_, static_cast<std::uint32_t>(streams_.size()), attachments, metadata,
           chunk_count_, times_.first, times_.last);
    McapRecords counts;
    for (std::size_t channel = 0; channel < streams_.size(); ++channel)
        counts.put(static_cast<std::uint16_t>(channel), streams_[channel].count);
    to.put(text_of(counts.bytes()));
    to.end();
}

}  // namespace caribou::wire
