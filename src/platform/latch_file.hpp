#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "motion/latch_store.hpp"
#include "platform/config_file.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// The latch in a file that is complete at every moment. Written on a thread of its own, which the system
/// shows as `latch`: a slow disk delays neither a stop nor the robot's main thread.
class LatchFile final : public motion::LatchStore {
public:
    /// Whether a missing file is no loss: the first start ever, or the first one after an upgrade from a
    /// release that had no such file.
    enum class Missing { is_lost, is_expected };

    /// Reads the file. If it is missing and that is a loss, or if it cannot be read, the robot starts
    /// stopped (StopCause::state_lost). Writes the file if it was missing or malformed; a file of a newer
    /// version is left alone. What was found is logged. `log` outlives it.
    static std::unique_ptr<LatchFile> open(const std::string& path, Missing missing, Log& log);
    /// Finishes what store() has begun.
    ~LatchFile() override;
    LatchFile(const LatchFile&) = delete;
    LatchFile& operator=(const LatchFile&) = delete;

    std::optional<motion::StopCause> stop_at_start() const override { return at_start_.stop; }
    std::string not_stored_at_start() const override { return not_stored_; }
    void store(const motion::LatchRecord& record, Stored stored) override;

private:
    LatchFile(const std::string& path, Log& log);
    void read(Missing missing, Log& log);
    Result<void> write(const motion::LatchRecord& record);
    void write_pending();

    std::string path_;
    ConfigFile file_;
    motion::LatchRecord at_start_;
    std::string newer_;       ///< why the file must not be overwritten; empty: it may be
    std::string not_stored_;  ///< at the start
    std::mutex mutex_;
    motion::LatchRecord pending_;  // guarded by mutex_
    std::vector<Stored> waiting_;  // guarded by mutex_
    NamedThread thread_;
};

}  // namespace caribou
