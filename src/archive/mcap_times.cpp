#include "archive/mcap.hpp"

#include <algorithm>

namespace caribou::wire {
namespace {

/// Returns the summary section of a finished file, or an empty view.
ByteView summary_of(ByteView file) {
    constexpr std::size_t footer = 1 + 8 + 8 + 8 + 4;
    if (file.size() < footer + mcap_magic.size() || !text_of(file).ends_with(mcap_magic)) return {};
    ByteView end = file.last(footer + mcap_magic.size());
    auto record = take_record(end);
    if (!record || record->opcode != McapOpcode::footer) return {};
    const auto start = record->fields.number<std::uint64_t>();
    return start == 0 || start > file.size() ? ByteView{} : file.subspan(start);
}

std::optional<McapTimes> in_statistics(FieldReader fields) {
    const auto messages = fields.number<std::uint64_t>();
    fields.bytes(sizeof(std::uint16_t) + 4 * sizeof(std::uint32_t));
    const McapTimes times{fields.number<std::uint64_t>(), fields.number<std::uint64_t>()};
    return fields.ok() && messages > 0 ? std::optional(times) : std::nullopt;
}

}  // namespace

std::string mcap_profile(ByteView file) {
    if (!text_of(file).starts_with(mcap_magic)) return {};
    ByteView records = file.subspan(mcap_magic.size());
    auto record = take_record(records);
    if (!record || record->opcode != McapOpcode::header) return {};
    const auto profile = text_of(record->fields.sized<std::uint32_t>());
    return record->fields.ok() ? std::string(profile) : std::string();
}

std::optional<McapTimes> mcap_times(ByteView file) {
    if (!text_of(file).starts_with(mcap_magic)) return std::nullopt;
    ByteView summary = summary_of(file);
    while (const auto record = take_record(summary))
        if (record->opcode == McapOpcode::statistics) return in_statistics(record->fields);

    std::optional<McapTimes> all;
    ByteView records = file.subspan(mcap_magic.size());
    while (auto record = take_record(records)) {
        if (record->opcode != McapOpcode::chunk) continue;
        const McapTimes chunk{record->fields.number<std::uint64_t>(), record->fields.number<std::uint64_t>()};
        if (!record->fields.ok()) continue;
        all = all ? McapTimes{std::min(all->first, chunk.first), std::max(all->last, chunk.last)} : chunk;
    }
    return all;
}

}  // namespace caribou::wire
