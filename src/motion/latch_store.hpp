#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "motion/latch_record.hpp"

namespace caribou::motion {

/// Stores the latched full stop persistently.
class LatchStore {
public:
    using Stored = std::function<void(const Result<void>&)>;

    virtual ~LatchStore() = default;
    /// Returns the stop that the program starts with; nullopt if it starts released.
    virtual std::optional<StopCause> stop_at_start() const = 0;
    /// Returns why that is not stored; empty if it is.
    virtual std::string not_stored_at_start() const { return {}; }
    /// Returns the last sign of life of the thread that stores; the epoch if there is none. Thread-safe.
    virtual Instant sign_of_life() const { return {}; }
    /// Records a stop that store() will be called for, so that it is not lost if the process ends before.
    /// Thread-safe; does not wait for a disk.
    virtual void note(StopCause) {}
    /// Non-blocking. `stored` is called once, from any thread, when this record or a later one has been
    /// stored, or failed.
    virtual void store(const LatchRecord& record, Stored stored) = 0;
};

/// A latch in memory: the disk of a simulated machine.
class MemoryLatchStore final : public LatchStore {
public:
    std::optional<StopCause> stop_at_start() const override { return kept.stop; }
    Instant sign_of_life() const override { return alive; }
    void store(const LatchRecord& record, Stored stored) override {
        if (hangs) return waiting.push_back(std::move(stored));
        if (is_full) return stored(fail(Code::io, "no space left on the disk"));
        kept = record;
        stored({});
    }

    LatchRecord kept;
    Instant alive{};  ///< the sign of life of a thread that stores
    bool is_full = false;
    bool hangs = false;           ///< store() never completes
    std::vector<Stored> waiting;  ///< not completed
};

}  // namespace caribou::motion
