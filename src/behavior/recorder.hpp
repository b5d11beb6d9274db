#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "behavior/difference.hpp"

namespace caribou::behavior {

class BehaviorRunner;

struct RecorderOptions {
    std::size_t max_bytes = 64_MiB;  ///< what would go beyond it is not recorded; see Recorder::full
};

/// Writes the differences as bytes (docs/formats/behavior-recording.md). It may begin in the middle
/// of a run: it begins with what stands then.
class Recorder final : public Observer {
public:
    /// Add it to the runner right afterwards, between two ticks.
    explicit Recorder(const BehaviorRunner& runner, RecorderOptions options = {});
    void on_tick(const Difference& difference) override;

    ByteView bytes() const { return bytes_; }
    /// The bytes so far were stored elsewhere: what follows belongs behind them, and max_bytes counts
    /// anew. Keeps the memory.
    void forget() { bytes_.clear(); }
    /// The limit was reached: the recording is whole up to that tick, and has ended.
    bool full() const { return full_; }

private:
    void append_record(ByteView body);
    void append_snapshot(const BehaviorRunner& runner);

    RecorderOptions options_;
    Bytes bytes_;
    Bytes body_;  ///< of the record under way
    std::uint64_t last_tick_ = 0;
    std::int64_t last_now_ = 0;
    std::int64_t last_step_ = 0;
    bool full_ = false;
};

}  // namespace caribou::behavior
