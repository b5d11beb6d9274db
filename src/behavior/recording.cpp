#include "behavior/recording.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "behavior/replay_state.hpp"

namespace caribou::behavior {

/// Reads record after record; each must be valid by itself and consistent with the previous ones.
class RecordingReader {
public:
    explicit RecordingReader(Recording& recording) : recording_(recording) {}

    /// Returns an error message, or nullopt if the record is valid.
    std::optional<std::string_view> read(ByteView record) {
        VarintReader reader(record);
        const auto kind = reader.byte();
        if (!kind) return "a record is empty";
        const auto expected = recording_.trees_.empty()   ? RecordKind::tree
                              : recording_.ticks_.empty() ? RecordKind::snapshot
                                                          : RecordKind::tick;
        if (static_cast<RecordKind>(*kind) != expected) return "a record is of another kind than expected";
        if (expected == RecordKind::tree)
            return add_tree(reader) && reader.at_end() ? std::nullopt
                                                       : std::optional<std::string_view>("no tree");
        return read_tick(reader, expected);
    }

private:
    bool add_tree(VarintReader& reader) {
        std::optional<RecordedTree> tree = read_tree(reader);
        if (tree) recording_.trees_.push_back(std::move(*tree));
        return tree.has_value();
    }

    std::optional<std::string_view> read_tick(VarintReader& reader, RecordKind kind) {
        const auto ticks = reader.number();
        const auto time = kind == RecordKind::tick ? reader.number() : std::optional<std::uint64_t>(0);
        if (!ticks || !time) return "a tick lacks its number or its time";
        if (kind == RecordKind::tick) {
            if (*ticks == 0 || *ticks > UINT64_MAX - tick_) return "ticks do not count upwards";
            step_ += static_cast<std::uint64_t>(unzigzag(*time));
            now_ += step_;
        }
        tick_ += *ticks;
        RecordedTick tick{tick_, Instant(Duration(static_cast<std::int64_t>(now_))), {}};
        while (!reader.at_end()) {
            const auto change = read_change(reader, recording_.trees_.back());
            if (!change) return "a change is not readable";
            if (!state_.apply(*change)) return "a change does not follow from what was before";
            tick.changes.push_back(*change);
            if (std::holds_alternative<TreeChanged>(*change) && !add_tree(reader)) return "no tree";
        }
        recording_.ticks_.push_back(std::move(tick));
        return std::nullopt;
    }

    Recording& recording_;
    ReplayState state_;
    std::uint64_t tick_ = 0;
    std::uint64_t now_ = 0;  // unsigned, because the sums may wrap around
    std::uint64_t step_ = 0;
};

Result<Recording> Recording::read(ByteView bytes) {
    if (!text_of(bytes).starts_with(recording_magic))
        return fail(Code::malformed, "offset 0: not a recording of behaviors, or one of another version");
    Recording recording;
    RecordingReader records(recording);
    VarintReader reader(bytes.subspan(recording_magic.size()));
    while (!reader.at_end()) {
        const std::size_t offset = recording_magic.size() + reader.offset();
        const auto size = reader.number();
        const auto record = size ? reader.raw(*size) : std::nullopt;
        if (!record) {
            recording.cut_off_ = true;
            break;
        }
        if (const auto wrong = records.read(*record))
            return fail(Code::malformed, fmt::format("offset {}: {}", offset, *wrong));
    }
    return recording;
}

}  // namespace caribou::behavior
