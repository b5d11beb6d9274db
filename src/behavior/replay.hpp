#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "behavior/recording.hpp"
#include "behavior/replay_state.hpp"

namespace caribou::behavior {

/// Steps through a recording and provides the state after each tick.
class Replay {
public:
    /// `recording` must outlive it. Starts at the first tick.
    explicit Replay(const Recording& recording);

    /// Moves to the end of that tick, forward or backward. Fails with not_found if it is not in the
    /// recording.
    Result<void> seek(std::uint64_t tick);
    /// Moves one tick forward. Returns false at the end.
    bool step();

    /// Returns the changes of the current tick, or null if the recording is empty.
    const RecordedTick* tick() const;
    const ReplayState& state() const { return state_; }
    /// How a behavior of the current tree ended.
    struct End {
        std::uint64_t tick;
        Duration ago;  ///< before the current tick
        Popped how;
    };
    /// Returns the last end of a behavior up to the current tick, or nullopt if the recording has none.
    std::optional<End> last_end(Who who) const;

    /// Return names from the tree of the current tick; empty if the number is unknown.
    std::string_view id(Who who) const;
    std::string_view condition_text(Who who, std::uint32_t number) const;
    /// Returns the number of a behavior, or behavior::nobody if the id is unknown.
    Who find(std::string_view id) const;

private:
    void rewind();

    const Recording& recording_;
    std::size_t next_ = 0;
    std::size_t tree_ = 0;
    ReplayState state_;
};

}  // namespace caribou::behavior
