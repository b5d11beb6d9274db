#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "motion/motion.hpp"

namespace caribou {

/// A full stop that is not in the latch file yet, kept in shared memory (a file in /dev/shm,
/// docs/formats/latch.md). It outlives the process, also a killed one, and needs no disk: the next start of
/// the robot finds it. It does not outlive the machine. All calls are thread-safe.
class PendingStop {
public:
    /// Of the robot with this latch file.
    explicit PendingStop(const std::string& latch_path);

    /// Records the stop. Replaces one that was recorded before.
    Result<void> write(motion::StopCause cause) const;
    /// Removes it: the stop is stored, or released.
    Result<void> clear() const;
    /// Returns the recorded stop; nullopt if there is none. Its cause is state_lost if the text is damaged.
    /// A file of an account other than this one and root is not read, unless this process is root's.
    std::optional<motion::StopCause> read() const;
    /// Returns what the names of its files begin with; the rest is random, so that no other account can
    /// occupy the name.
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace caribou
