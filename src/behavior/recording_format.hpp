#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/varint.hpp"
#include "behavior/difference.hpp"

namespace caribou::behavior {

// How a recording is written: docs/formats/behavior-recording.md.

inline constexpr std::string_view recording_magic = "CRBH\x01";

enum class RecordKind : std::uint8_t { tree = 1, tick = 2, snapshot = 3 };

/// The names that the numbers of one tree stand for.
struct RecordedTree {
    std::vector<std::string_view> ids{};                      ///< by number
    std::vector<std::vector<std::string_view>> conditions{};  ///< by number of behavior, then its own
};

void append_tree(Bytes& to, const BehaviorTree& tree);
/// None: the bytes do not hold a tree.
std::optional<RecordedTree> read_tree(VarintReader& reader);

/// A TreeChanged is followed by the new tree, which the caller appends and reads.
void append_change(Bytes& to, const Change& change);
/// Texts refer to the bytes. None: the bytes do not hold a change, or it names behaviors or
/// conditions that the tree does not have.
std::optional<Change> read_change(VarintReader& reader, const RecordedTree& tree);

}  // namespace caribou::behavior
