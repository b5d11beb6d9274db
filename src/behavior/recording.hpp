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

/// A recording that was read and makes sense: nobody is popped who is not on top, nobody leaves who
/// has not entered. Refers to the bytes, which outlive it.
class Recording {
public:
    /// malformed: with the offset of the record and what is wrong. One that was cut off is read up to
    /// its last whole record; cut_off() says so.
    static Result<Recording> read(ByteView bytes);

    /// The first one tells what stood when the recording began; its instant is 0.
    const std::vector<RecordedTick>& ticks() const { return ticks_; }
    /// The tree of the beginning, and one for each TreeChanged.
    const std::vector<RecordedTree>& trees() const { return trees_; }
    bool cut_off() const { return cut_off_; }

private:
    friend class RecordingReader;
    std::vector<RecordedTree> trees_;
    std::vector<RecordedTick> ticks_;
    bool cut_off_ = false;
};

}  // namespace caribou::behavior
