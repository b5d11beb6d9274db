#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "adapters/robot_files/config_file.hpp"
#include "adapters/robot_files/pending_stop.hpp"
#include "base/log.hpp"
#include "motion/latch_store.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Stores the latch in a file that is always complete. Written on its own thread, named `latch`, so that a
/// slow disk delays neither a stop nor the robot's main thread. A second thread, `latch_2`, writes what the
/// first has not written within `patience`, because that may hang. Until a stop is stored it is kept as a
/// PendingStop, which the next start finds, whatever ended this one.
class LatchFile final : public motion::LatchStore {
public:
    /// Whether a missing file is expected: at the very first start, or at the first one after an upgrade from
    /// a release without this file.
    enum class Missing { is_lost, is_expected };
    static constexpr std::size_t max_size = 4096;
    static constexpr Duration patience = std::chrono::milliseconds(300);

    /// Reads the file and the pending stop. If the file is missing unexpectedly or cannot be read, the robot
    /// starts stopped (StopCause::state_lost). Writes the file if it was missing or malformed, and starts
    /// stopped if that fails; a file of a
    /// newer version is not modified. Logs the result. `log` must outlive this object.
    static std::unique_ptr<LatchFile> open(const std::string& path, Missing missing, Log& log);
    ~LatchFile() override { finish(); }
    LatchFile(const LatchFile&) = delete;
    LatchFile& operator=(const LatchFile&) = delete;

    std::optional<motion::StopCause> stop_at_start() const override { return at_start_.stop; }
    std::string not_stored_at_start() const override { return not_stored_; }
    Instant sign_of_life() const override;
    void note(motion::StopCause cause) override;
    void store(const motion::LatchRecord& record, Stored stored) override;
    /// Completes pending writes. store() must not be called any more.
    void finish();

private:
    LatchFile(const std::string& path, Log& log);
    void read(Missing missing, Log& log);
    /// One of the two threads, with a draft file of its own.
    struct Writer {
        Writer(const std::string& name, const std::string& path, Log& log);
        ConfigFile file;
        NamedThread thread;
        std::unique_ptr<Timer> timer;
    };
    Result<void> write(ConfigFile& file, const motion::LatchRecord& record) const;
    /// Writes the latest record, unless that is written already, and again if it was changed meanwhile: a
    /// thread that was suspended in a write overwrites what the other has written since.
    void write_pending(ConfigFile& file);
    /// Removes the pending stop. Logs an error.
    void clear_pending_stop() const;
    void prove();

    Log& log_;
    std::string path_;
    PendingStop pending_stop_;
    motion::LatchRecord at_start_;
    std::string newer_;       ///< why the file must not be overwritten; empty if it may be
    std::string not_stored_;  ///< error at the start
    std::mutex mutex_;
    motion::LatchRecord pending_;  // guarded by mutex_
    std::uint64_t requested_ = 0;  // number of the latest record, guarded by mutex_
    std::uint64_t written_ = 0;    // number of the record in the file, guarded by mutex_
    bool has_stop_ = false;  // the file has a stop, and nothing else is to be written, guarded by mutex_
    int writing_ = 0;        // threads that write now, guarded by mutex_
    std::vector<Stored> waiting_;  // guarded by mutex_
    std::atomic<Duration::rep> sign_of_life_ = 0;
    Writer first_;
    Writer second_;
};

/// Stores that the robot with this latch file starts stopped, for a process that is not the robot. The stop
/// is pending first, so that it counts even if the disk hangs.
Result<void> store_stop(const std::string& latch_path, motion::StopCause cause);

}  // namespace caribou
