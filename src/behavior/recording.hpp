#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "behavior/difference.hpp"
#include "behavior/recording_format.hpp"

namespace caribou::behavior {

/// One tick of a recording.
struct RecordedTick {
    std::uint64_t tick;
    Instant now;
    std::vector<Change> changes;  ///< texts refer to the recording's bytes
};

/// A recording that has been parsed and is consistent: only the top is popped, and only behaviors in scope
/// leave it. Refers to the bytes, which must outlive it.
class Recording {
public:
    /// Parses a recording. Fails with malformed, the offset of the record and the reason. A truncated
    /// recording is read up to its last complete record; cut_off() then returns true.
    static Result<Recording> read(ByteView bytes);

    /// Returns all ticks. The first one is the snapshot of the state at the start of the recording; its
    /// instant is 0.
    const std::vector<RecordedTick>& ticks() const { return ticks_; }
    /// Returns the tree at the start, and one for each TreeChanged.
    const std::vector<RecordedTree>& trees() const { return trees_; }
    bool cut_off() const { return cut_off_; }

private:
    friend class RecordingReader;
    std::vector<RecordedTree> trees_;
    std::vector<RecordedTick> ticks_;
    bool cut_off_ = false;
};

}  // namespace caribou::behavior
