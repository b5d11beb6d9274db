#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "behavior/recording.hpp"
#include "behavior/replay_state.hpp"

namespace caribou::behavior {

/// Goes through a recording and tells what was the case after each tick.
class Replay {
public:
    /// The recording outlives it. Stands at its first tick.
    explicit Replay(const Recording& recording);

    /// Goes to the end of that tick, forwards or back. not_found: it is not in the recording.
    Result<void> seek(std::uint64_t tick);
    /// One further; false at the end.
    bool step();

    /// What this tick changed; null: the recording is empty.
    const RecordedTick* tick() const;
    const ReplayState& state() const { return state_; }

    /// Names, as the tree of this moment has them; empty: there is none of that number.
    std::string_view id(Who who) const;
    std::string_view condition_text(Who who, std::uint32_t number) const;
    /// nobody: no behavior of that id.
    Who find(std::string_view id) const;

private:
    void rewind();

    const Recording& recording_;
    std::size_t next_ = 0;
    std::size_t tree_ = 0;
    ReplayState state_;
};

}  // namespace caribou::behavior
