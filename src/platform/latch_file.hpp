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

/// Stores the latch in a file that is always complete. Written on its own thread, named `latch`, so that a
/// slow disk delays neither a stop nor the robot's main thread.
class LatchFile final : public motion::LatchStore {
public:
    /// Whether a missing file is expected: at the very first start, or at the first one after an upgrade from
    /// a release without this file.
    enum class Missing { is_lost, is_expected };

    /// Reads the file. If it is missing unexpectedly or cannot be read, the robot starts stopped
    /// (StopCause::state_lost). Writes the file if it was missing or malformed; a file of a newer version is
    /// not modified. Logs the result. `log` must outlive this object.
    static std::unique_ptr<LatchFile> open(const std::string& path, Missing missing, Log& log);
    /// Completes pending writes.
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
    std::string newer_;       ///< why the file must not be overwritten; empty if it may be
    std::string not_stored_;  ///< error at the start
    std::mutex mutex_;
    motion::LatchRecord pending_;  // guarded by mutex_
    std::vector<Stored> waiting_;  // guarded by mutex_
    NamedThread thread_;
};

}  // namespace caribou
