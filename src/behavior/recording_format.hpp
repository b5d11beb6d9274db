#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/varint.hpp"
#include "behavior/difference.hpp"

namespace caribou::behavior {

// The encoding of recordings: docs/formats/behavior-recording.md.

inline constexpr std::string_view recording_magic = "CRBH\x01";

enum class RecordKind : std::uint8_t { tree = 1, tick = 2, snapshot = 3 };

/// The names of the behaviors and conditions of one tree.
struct RecordedTree {
    std::vector<std::string_view> ids{};                      ///< by number
    std::vector<std::vector<std::string_view>> conditions{};  ///< by behavior, then by condition
};

void append_tree(Bytes& to, const BehaviorTree& tree);
/// Returns nullopt if the bytes are not a valid tree.
std::optional<RecordedTree> read_tree(VarintReader& reader);

/// Appends a change. A TreeChanged is followed by the new tree, which the caller appends and reads.
void append_change(Bytes& to, const Change& change);
/// Reads a change. Texts refer to the bytes. Returns nullopt if the bytes are not a valid change, or if it
/// refers to behaviors or conditions that are not in the tree.
std::optional<Change> read_change(VarintReader& reader, const RecordedTree& tree);

}  // namespace caribou::behavior
