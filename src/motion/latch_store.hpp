#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "motion/latch_record.hpp"

namespace caribou::motion {

/// Stores the latched full stop so that it survives the program.
class LatchStore {
public:
    using Stored = std::function<void(const Result<void>&)>;

    virtual ~LatchStore() = default;
    /// The stop that the program starts with; none: it starts released.
    virtual std::optional<StopCause> stop_at_start() const = 0;
    /// Why that is not stored; empty: it is.
    virtual std::string not_stored_at_start() const { return {}; }
    /// Does not wait. `stored` is called once, from any thread, when this record or a later one is stored,
    /// or could not be.
    virtual void store(const LatchRecord& record, Stored stored) = 0;
};

/// Keeps the record in memory: the disk of a simulated machine.
class MemoryLatchStore final : public LatchStore {
public:
    std::optional<StopCause> stop_at_start() const override { return kept.stop; }
    void store(const LatchRecord& record, Stored stored) override {
        if (hangs) return waiting.push_back(std::move(stored));
        if (is_full) return stored(fail(Code::io, "no space left on the disk"));
        kept = record;
        stored({});
    }

    LatchRecord kept;
    bool is_full = false;
    bool hangs = false;           ///< store() is never finished
    std::vector<Stored> waiting;  ///< those that hang
};

}  // namespace caribou::motion
