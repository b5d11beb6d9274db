#pragma once

#include <cstdint>
#include <string>

#include "archive/mcap_batch.hpp"
#include "base/bytes.hpp"

namespace caribou::station {

/// Data to be appended to a recording.
struct RecordingBatch {
    std::string name{};        ///< of the recording, without extension
    std::uint64_t number = 0;  ///< counts the batches of a recording; 0: a new recording
    wire::McapBatch messages{};
    Bytes lines{};      ///< of the .alog file
    bool last = false;  ///< last batch of the recording

    std::size_t size() const { return messages.size() + lines.size(); }
};

/// Destination of recordings. Encoding and compression are its work, so that the caller's thread does
/// neither.
class RecordingSink {
public:
    virtual ~RecordingSink() = default;
    /// Writes the batch, or, if the disk is too slow, drops and counts it. Later batches of the same
    /// recording are then dropped as well, because they depend on it.
    virtual void write(RecordingBatch batch) = 0;
    /// Returns how many batches, or parts of files, were lost.
    virtual std::uint64_t lost() const = 0;
    /// Returns the bytes of .mcap files written so far, of all recordings together. May be late.
    virtual std::uint64_t written() const = 0;
    /// The files of this recording were removed from the folder.
    virtual void forget(const std::string& name) = 0;
};

}  // namespace caribou::station
