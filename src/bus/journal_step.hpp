#pragma once

#include <functional>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace caribou::bus {

/// One unit of writing, made durable as a whole. While a next file with all values is being written, batches
/// are appended to both files, so that no change has to wait for it.
struct JournalStep {
    Bytes batch{};  ///< for the current and the next file
    Bytes chunk{};  ///< for the next file only, after the batch
    bool begins_next = false;
    bool finishes_next = false;  ///< makes the next file the current one
};

/// Performs steps in order, without blocking the loop.
class JournalWriter {
public:
    using Done = std::move_only_function<void(const Result<void>&)>;

    virtual ~JournalWriter() = default;
    /// `done` is called from the loop, never from within this call. After a failure the current file is
    /// unchanged, and a next one must be started.
    virtual void perform(JournalStep step, Done done) = 0;
};

}  // namespace caribou::bus
