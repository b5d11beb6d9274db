#pragma once

#include <functional>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace caribou::bus {

/// What is written and made durable at one time. While a next file is made, with all values in it
/// and nothing else, batches go to both files, so nothing waits for it.
struct JournalStep {
    Bytes batch{};  ///< for the file that counts, and the next one
    Bytes chunk{};  ///< for the next one alone, behind the batch
    bool begins_next = false;
    bool finishes_next = false;  ///< it takes the other one's place
};

/// Performs steps in order, without holding up the loop.
class JournalWriter {
public:
    using Done = std::move_only_function<void(const Result<void>&)>;

    virtual ~JournalWriter() = default;
    /// `done` is called from the loop, never inside this call. After a failure the file that counts
    /// is left as it is, and a next one has to be begun.
    virtual void perform(JournalStep step, Done done) = 0;
};

}  // namespace caribou::bus
