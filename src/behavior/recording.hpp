#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "behavior/difference.hpp"

namespace caribou::behavior {

class BehaviorRunner;

struct RecorderOptions {
    std::size_t max_bytes = 64_MiB;  ///< what would go beyond it is not recorded; see Recorder::full
};

/// Writes the differences as bytes (docs/formats/behavior-recording.md). It may begin in the middle
/// of a run: the first tick it hears of also tells what stood before.
class Recorder final : public Observer {
public:
    /// Add it to the runner afterwards.
    explicit Recorder(const BehaviorRunner& runner, RecorderOptions options = {});
    void on_tick(const Difference& difference) override;

    ByteView bytes() const { return bytes_; }
    /// Hands over what was recorded since the last take, to be written behind it; the recording goes
    /// on, and max_bytes counts anew.
    Bytes take();
    /// The limit was reached: the recording is whole up to that tick, and has ended.
    bool full() const { return full_; }

private:
    void write_tree(const BehaviorTree& tree);

    RecorderOptions options_;
    Bytes bytes_;
    Bytes scratch_;
    std::uint64_t last_tick_ = 0;
    Instant last_now_{};
    bool full_ = false;
};

/// One tick of a recording.
struct RecordedTick {
    std::uint64_t tick;
    Instant now;
    std::vector<Change> changes;  ///< texts refer to the recording
};

/// A recording that was read. Refers to the bytes, which outlive it.
class Recording {
public:
    struct Tree {
        std::vector<std::string_view> ids;                      ///< by number
        std::vector<std::vector<std::string_view>> conditions;  ///< by number of behavior, then its own
    };

    /// malformed: with the offset and what was expected there. A recording that was cut off is read
    /// up to its last whole tick; cut_off() says so.
    static Result<Recording> read(ByteView bytes);

    const std::vector<RecordedTick>& ticks() const { return ticks_; }
    bool cut_off() const { return cut_off_; }

private:
    friend class Replay;
    std::vector<Tree> trees_;
    std::vector<RecordedTick> ticks_;
    bool cut_off_ = false;
};

/// What was the case after a tick, worked out from a recording.
class Replay {
public:
    /// The recording outlives it. Stands before its first tick.
    explicit Replay(const Recording& recording);

    /// Goes to the end of that tick, forwards or back. not_found: not in the recording.
    Result<void> seek(std::uint64_t tick);
    /// One further; false at the end.
    bool step();

    std::uint64_t tick() const;
    /// Base first.
    const std::vector<Who>& stack() const { return stack_; }
    const std::set<Who>& in_scope() const { return in_scope_; }
    /// Those that said no when they were asked last, and why.
    const std::map<Who, Refused>& refused() const { return refused_; }
    /// Which of its conditions hold; absent: not live.
    const std::map<std::pair<Who, std::uint32_t>, bool>& conditions() const { return conditions_; }
    std::string_view id(Who who) const;
    std::string_view condition_text(Who who, std::uint32_t number) const;
    /// nobody: no behavior of that id.
    Who find(std::string_view id) const;

private:
    void rewind();
    void apply(const Change& change);
    void forget(Who who);

    const Recording& recording_;
    std::size_t next_ = 0;
    std::size_t tree_ = 0;
    std::vector<Who> stack_;
    std::set<Who> in_scope_;
    std::map<Who, Refused> refused_;
    std::map<std::pair<Who, std::uint32_t>, bool> conditions_;
};

}  // namespace caribou::behavior
