#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "behavior/difference.hpp"
#include "behavior/recorder.hpp"

namespace caribou::behavior {

struct RollingRecorderOptions {
    std::size_t max_bytes =
        1_MiB;  ///< of one recording; at least half of it is kept once that much was recorded
};

/// Records without an end and keeps the latest ticks, in bounded memory: two recordings that overlap by half,
/// the older of which is discarded when it is full.
class RollingRecorder final : public Observer {
public:
    explicit RollingRecorder(RollingRecorderOptions options = {}) : options_(options) {}

    /// Starts again, with a snapshot of the present state. Must be called between two ticks; add this object
    /// to the runner before the next one.
    void start(const BehaviorRunner& runner);
    void on_tick(const Difference& difference) override;
    /// Discards the oldest ticks if there are too many. Must be called between two ticks, after each.
    void settle(const BehaviorRunner& runner);

    /// Returns a recording of the latest ticks (docs/formats/behavior-recording.md); empty before start().
    ByteView bytes() const { return older_ ? older_->bytes() : ByteView(); }

private:
    RollingRecorderOptions options_;
    std::optional<Recorder> older_;
    std::optional<Recorder> newer_;  ///< from the time at which the older one was half full
};

}  // namespace caribou::behavior
