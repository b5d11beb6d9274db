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
    batched,  ///< values are made durable some twenty times a second
    always,   ///< nothing is told to anybody before it is durable
};

struct JournalOptions {
    Durability durability = Durability::batched;
    /// Between two batches. With a disk that needs less than this for a batch, at most twice as much is lost.
    Duration period = std::chrono::milliseconds(50);
    /// A file of this size, and of `compact_factor` times the values in it, is made anew.
    std::size_t compact_from = 16_MiB;
    std::size_t compact_factor = 4;
    std::size_t chunk_size = 1_MiB;  ///< how much of that is done with a batch
    /// After a failure; doubled with each that follows, up to the longest.
    Duration retry = std::chrono::seconds(1);
    Duration longest_retry = std::chrono::seconds(30);
};

struct JournalStats {
    bool paused = false;
    std::uint64_t batches = 0;
    std::uint64_t bytes = 0;  ///< written so far
    std::uint64_t compactions = 0;
    std::uint64_t failures = 0;
    std::size_t file_size = 0;
    Duration last_step{};  ///< how long the last batch took to be durable
};

/// Keeps the values of an exchange: notes which have changed, and now and then writes the latest
/// of each. So it costs next to nothing however often a variable is written. A disk that fails or
/// is full pauses it; it tries again by itself, with a new file of all values. DB_ variables are
/// the broker's own, and not kept.
class Journal final : public ValueWitness {
public:
    /// `notice` is told once when the journal pauses, and once when it goes on.
    Journal(Loop& loop, JournalWriter& writer, JournalOptions options, Log& log,
            std::move_only_function<void(std::string_view)> notice);
    ~Journal();

    /// Gives the exchange the values that were kept, and keeps its values from now on.
    void attach(Exchange& exchange, const wire::JournalContents& kept);
    /// Has what is not yet on its way written: the program ends. The writer finishes it.
    void finish();

    void on_written(Variable& variable) override;
    void on_cleared() override;

    /// Durability::always: has the changes of this turn written. To be called at its end.
    void commit();
    /// Durability::always: something that was taken is not durable, so nothing may be told.
    bool holds_back() const;
    /// Called when holds_back() may have changed.
    void on_settled(Task task) { settled_ = std::move(task); }

    const JournalStats& stats() const { return stats_; }

private:
    bool has_changes() const { return cleared_ || !changed_.empty(); }
    /// A new file of all values is under way.
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
    std::vector<Variable*> numbered_;  ///< by Variable::journal_number
    std::vector<Variable*> changed_;
    bool cleared_ = false;
    std::uint64_t next_batch_ = 0;
    std::optional<std::size_t> compacted_;  ///< how many of numbered_ the next file has
    bool next_begun_ = false;
    std::size_t next_size_ = 0;    ///< of that file
    std::size_t values_size_ = 0;  ///< of the file that counts, when it was new
    bool writing_ = false;
    bool writing_changes_ = false;
    Instant write_began_{};
    Duration retry_{};
    JournalStats stats_;
    std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace caribou::bus
