#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "behavior/difference.hpp"

namespace caribou::behavior {

class BehaviorRunner;

struct RecorderOptions {
    std::size_t max_bytes = 64_MiB;  ///< recording ends before it would exceed this; see Recorder::full
};

/// Encodes the differences as bytes (docs/formats/behavior-recording.md). It may start in the middle of a
/// run: the recording begins with a snapshot of the current state.
class Recorder final : public Observer {
public:
    /// Add it to the runner immediately afterwards, between two ticks.
    explicit Recorder(const BehaviorRunner& runner, RecorderOptions options = {});
    void on_tick(const Difference& difference) override;

    ByteView bytes() const { return bytes_; }
    /// Discards the bytes so far, which the caller has stored elsewhere: later bytes are to be appended to
    /// them, and max_bytes counts from 0 again. Keeps the memory.
    void forget() { bytes_.clear(); }
    /// Returns whether the limit was reached. The recording is then complete up to that tick, and has ended.
    bool full() const { return full_; }

private:
    void append_record(ByteView body);
    void append_snapshot(const BehaviorRunner& runner);

    RecorderOptions options_;
    Bytes bytes_;
    Bytes body_;  ///< record being written
    std::uint64_t last_tick_ = 0;
    std::int64_t last_now_ = 0;
    std::int64_t last_step_ = 0;
    bool full_ = false;
};

}  // namespace caribou::behavior
