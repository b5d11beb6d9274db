#include "behavior/recorder.hpp"

#include "behavior/recording_format.hpp"
#include "behavior/runner.hpp"

namespace caribou::behavior {
namespace {

std::byte as_byte(RecordKind kind) { return static_cast<std::byte>(kind); }

/// Returns the difference modulo 2^64, so that every pair of instants is in range.
std::int64_t minus(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace

Recorder::Recorder(const BehaviorRunner& runner, RecorderOptions options) : options_(options) {
    append(bytes_, bytes_of(recording_magic));
    body_.push_back(as_byte(RecordKind::tree));
    append_tree(body_, runner.tree());
    append_record(body_);
    append_snapshot(runner);
}

void Recorder::append_snapshot(const BehaviorRunner& runner) {
    last_tick_ = runner.ticks();
    body_.assign(1, as_byte(RecordKind::snapshot));
    append_varint(body_, last_tick_);
    const BehaviorTree& tree = runner.tree();
    for (Who who = 0; who < tree.size(); ++who) {
        if (tree[who].state() < Behavior::State::in_scope) continue;
        append_change(body_, Entered{who});
        const Wants answer = runner.why_not(tree[who]);
        if (!answer && answer.gate() > Gate::active)
            append_change(body_, Refused{who, answer.gate(), answer.why_not()});
        for (const Condition* condition : tree[who].conditions())
            if (condition->answered())
                append_change(body_, ConditionChanged{who, condition->number(), condition->last()});
    }
    Who by = nobody;
    for (const Behavior* active : runner.stack()) {
        append_change(body_, Pushed{active->number(), by});
        by = active->number();
    }
    append_record(body_);
}

void Recorder::on_tick(const Difference& difference) {
    if (full_) return;
    const std::int64_t now = difference.now.time_since_epoch().count();
    const std::int64_t step = minus(now, last_now_);
    body_.assign(1, as_byte(RecordKind::tick));
    append_varint(body_, difference.tick - last_tick_);
    append_varint(body_, zigzag(minus(step, last_step_)));
    for (const Change& change : difference.changes) {
        append_change(body_, change);
        if (std::holds_alternative<TreeChanged>(change)) append_tree(body_, difference.tree);
    }
    append_record(body_);
    last_tick_ = difference.tick;
    last_now_ = now;
    last_step_ = step;
}

void Recorder::append_record(ByteView body) {
    constexpr std::size_t longest_varint = 10;
    if (body.size() + longest_varint > options_.max_bytes - bytes_.size()) {
        full_ = true;
        return;
    }
    append_varint(bytes_, body.size());
    append(bytes_, body);
}

}  // namespace caribou::behavior
