#include "bus/journal.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou::bus {

Journal::Journal(Loop& loop, JournalWriter& writer, JournalOptions options, Log& log,
                 std::move_only_function<void(std::string_view)> notice)
    : loop_(loop),
      writer_(writer),
      options_(options),
      log_(log),
      notice_(std::move(notice)),
      timer_(loop.make_timer([this] {
          scheduled_ = false;
          if (writing_) return;
          if (stats_.paused && !compacting()) compacted_ = 0;
          write();
      })),
      retry_(options.retry) {}

Journal::~Journal() {
    if (exchange_) exchange_->set_witness(nullptr);
}

void Journal::attach(Exchange& exchange, const wire::JournalContents& kept) {
    exchange_ = &exchange;
    std::size_t refused = 0;
    for (const wire::JournalValue& value : kept.values) {
        auto restored = exchange.restore(value.message, value.written, value.writes);
        if (!restored) {
            if (refused++ == 0) log_.warning(restored.error().message);
            continue;
        }
        numbered_.resize(value.number + 1);
        numbered_[value.number] = *restored;
        (*restored)->journal_number = value.number;
        values_size_ += value.message.size();
    }
    if (refused > 0) log_.warning(fmt::format("{} stored values are skipped", refused));
    next_batch_ = kept.next_batch;
    stats_.file_size = kept.end;
    exchange.set_witness(this);
    if (kept.end > 0 && kept.damages.empty()) return;
    compacted_ = 0;
    // Without a file nothing is durable, so the first one is created at once.
    if (kept.end == 0)
        write();
    else
        schedule();
}

void Journal::on_written(Variable& variable) {
    variable.journal_changed = true;
    // DB_ variables belong to the broker. The mark is not cleared, so that later writes are not reported.
    if (variable.name.starts_with("DB_")) return;
    changed_.push_back(&variable);
    if (!variable.journal_number) {
        variable.journal_number = static_cast<std::uint32_t>(numbered_.size());
        numbered_.push_back(&variable);
    }
    schedule();
}

void Journal::on_cleared() {
    for (Variable* variable : numbered_) {
        if (!variable) continue;
        variable->journal_number.reset();
        variable->journal_changed = false;
    }
    numbered_.clear();
    changed_.clear();
    cleared_ = true;
    if (compacting()) compacted_ = 0;
    schedule();
}

void Journal::schedule() {
    if (scheduled_ || writing_ || (stats_.paused && !compacting())) return;
    if (!has_changes() && !compacting()) return;
    scheduled_ = true;
    timer_->arm(loop_.clock().now() + options_.period);
}

void Journal::commit() {
    if (options_.durability == Durability::always && has_changes() && !writing_ && !stats_.paused) write();
}

bool Journal::holds_back() const {
    return options_.durability == Durability::always && !stats_.paused && (has_changes() || writing_changes_);
}

void Journal::finish() {
    if (has_changes() && !stats_.paused) write();
}

void Journal::write() {
    JournalStep step;
    if (has_changes()) add_changes(step);
    if (compacting()) add_chunk(step);
    if (step.batch.empty() && step.chunk.empty()) return;
    writing_ = true;
    writing_changes_ = !step.batch.empty();
    write_began_ = loop_.clock().now();
    const bool finishes_next = step.finishes_next;
    const std::weak_ptr<const bool> alive = alive_;
    writer_.perform(std::move(step), [this, alive, finishes_next](const Result<void>& result) {
        if (!alive.expired()) on_done(finishes_next, result);
    });
}

wire::JournalValue Journal::record(const Variable& variable) {
    return {.number = *variable.journal_number,
            .written = variable.written,
            .writes = variable.writes,
            .message = *variable.latest};
}

void Journal::add_changes(JournalStep& step) {
    wire::JournalBatch batch(next_batch_++);
    if (std::exchange(cleared_, false)) batch.clear();
    for (Variable* variable : changed_) {
        batch.add(record(*variable));
        variable->journal_changed = false;
    }
    changed_.clear();
    step.batch = batch.finish();
    stats_.batches += 1;
    stats_.bytes += step.batch.size();
    stats_.file_size += step.batch.size();
    next_size_ += step.batch.size();
}

void Journal::add_chunk(JournalStep& step) {
    step.begins_next = !std::exchange(next_begun_, true);
    if (step.begins_next) next_size_ = step.batch.size();
    wire::JournalBatch chunk(next_batch_++, wire::JournalSeal::sealed);
    for (; *compacted_ < numbered_.size() && chunk.size() < options_.chunk_size; ++*compacted_)
        if (const Variable* variable = numbered_[*compacted_]) chunk.add(record(*variable));
    step.finishes_next = *compacted_ == numbered_.size();
    step.chunk = chunk.finish();
    stats_.bytes += step.chunk.size();
    next_size_ += step.chunk.size();
}

void Journal::on_done(bool finishes_next, const Result<void>& result) {
    writing_ = writing_changes_ = false;
    stats_.last_step = loop_.clock().now() - write_began_;
    if (!result) {
        pause(result.error());
    } else if (finishes_next) {
        stop_compacting();
        stats_.compactions += 1;
        stats_.file_size = values_size_ = next_size_;
        if (stats_.paused) resume();
    }
    const std::size_t enough = std::max(options_.compact_from, options_.compact_factor * values_size_);
    if (!stats_.paused && !compacting() && stats_.file_size > enough) compacted_ = 0;
    schedule();
    if (settled_) settled_();
}

void Journal::stop_compacting() {
    compacted_.reset();
    next_begun_ = false;
}

void Journal::pause(const Error& why) {
    stop_compacting();
    stats_.failures += 1;
    if (!std::exchange(stats_.paused, true)) {
        log_.error(fmt::format(
            "values are no longer stored: {}. The broker continues, and retries until the disk accepts "
            "writes.",
            why.message));
        notice_("journal=paused,reason=" + why.message);
        retry_ = options_.retry;
    } else {
        retry_ = std::min(2 * retry_, options_.longest_retry);
    }
    scheduled_ = true;
    timer_->arm(loop_.clock().now() + retry_);
}

void Journal::resume() {
    stats_.paused = false;
    log_.info("values are stored again");
    notice_("journal=resumed");
}

}  // namespace caribou::bus
