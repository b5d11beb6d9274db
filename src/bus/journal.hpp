#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "base/log.hpp"
#include "bus/exchange.hpp"
#include "bus/journal_step.hpp"
#include "loop/loop.hpp"
#include "wire/journal.hpp"

namespace caribou::bus {

enum class Durability {
    batched,  ///< changes are made durable about twenty times per second
    always,   ///< a value is delivered and acknowledged only after it is durable
};

struct JournalOptions {
    Durability durability = Durability::batched;
    /// Time between two batches. If the disk needs less than this for a batch, at most twice this time is
    /// lost.
    Duration period = std::chrono::milliseconds(50);
    /// A file is rewritten once it has this size and `compact_factor` times the size of its values.
    std::size_t compact_from = 16_MiB;
    std::size_t compact_factor = 4;
    std::size_t chunk_size = 1_MiB;  ///< bytes of the new file written per batch
    /// Pause after a failure; doubled after each further one, up to the maximum.
    Duration retry = std::chrono::seconds(1);
    Duration longest_retry = std::chrono::seconds(30);
};

struct JournalStats {
    bool paused = false;
    std::uint64_t batches = 0;
    std::uint64_t bytes = 0;  ///< total written
    std::uint64_t compactions = 0;
    std::uint64_t failures = 0;
    std::size_t file_size = 0;
    Duration last_step{};  ///< time until the last batch was durable
};

/// Stores the values of an exchange. Records which variables have changed, and periodically writes the latest
/// value of each, so that the cost does not depend on how often a variable is written. If the disk fails or
/// is full, the journal pauses, and later retries with a new file of all values. DB_ variables belong to the
/// broker and are not stored.
class Journal final : public ValueWitness {
public:
    /// `notice` is called when the journal pauses, and when it resumes.
    Journal(Loop& loop, JournalWriter& writer, JournalOptions options, Log& log,
            std::move_only_function<void(std::string_view)> notice);
    ~Journal();

    /// Restores the values in `kept` into the exchange, and stores its values from now on.
    void attach(Exchange& exchange, const wire::JournalContents& kept);
    /// Queues all changes not yet queued, when the program ends. The writer completes them.
    void finish();

    void on_written(Variable& variable) override;
    void on_cleared() override;

    /// Durability::always: queues the changes of this turn. Must be called at the end of the turn.
    void commit();
    /// Durability::always: returns whether an accepted value is not durable yet, so that nothing may be sent.
    bool holds_back() const;
    /// Sets the task that is called when holds_back() may have changed.
    void on_settled(Task task) { settled_ = std::move(task); }

    const JournalStats& stats() const { return stats_; }

private:
    bool has_changes() const { return cleared_ || !changed_.empty(); }
    /// Returns whether a new file of all values is being written.
    bool compacting() const { return compacted_.has_value(); }
    static wire::JournalValue record(const Variable& variable);
    void schedule();
    void write();
    void add_changes(JournalStep& step);
    void add_chunk(JournalStep& step);
    void on_done(bool finishes_next, const Result<void>& result);
    void stop_compacting();
    void pause(const Error& why);
    void resume();

    Loop& loop_;
    JournalWriter& writer_;
    const JournalOptions options_;
    Log& log_;
    std::move_only_function<void(std::string_view)> notice_;
    Task settled_;
    std::unique_ptr<Timer> timer_;
    bool scheduled_ = false;

    Exchange* exchange_ = nullptr;
    std::vector<Variable*> numbered_;  ///< indexed by Variable::journal_number
    std::vector<Variable*> changed_;
    bool cleared_ = false;
    std::uint64_t next_batch_ = 0;
    std::optional<std::size_t> compacted_;  ///< number of entries of numbered_ in the next file
    bool next_begun_ = false;
    std::size_t next_size_ = 0;    ///< of that file
    std::size_t values_size_ = 0;  ///< size of the current file when it was new
    bool writing_ = false;
    bool writing_changes_ = false;
    Instant write_began_{};
    Duration retry_{};
    JournalStats stats_;
    std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace caribou::bus
