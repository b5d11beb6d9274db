#include "behavior/replay.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

namespace caribou::behavior {

Replay::Replay(const Recording& recording) : recording_(recording) { rewind(); }

void Replay::rewind() {
    next_ = 0;
    tree_ = 0;
    state_ = {};
    step();
}

bool Replay::step() {
    if (next_ == recording_.ticks().size()) return false;
    for (const Change& change : recording_.ticks()[next_].changes) {
        state_.apply(change);
        if (std::holds_alternative<TreeChanged>(change)) ++tree_;
    }
    ++next_;
    return true;
}

const RecordedTick* Replay::tick() const { return next_ == 0 ? nullptr : &recording_.ticks()[next_ - 1]; }

Result<void> Replay::seek(std::uint64_t wanted) {
    const auto& ticks = recording_.ticks();
    const auto found = std::ranges::lower_bound(ticks, wanted, {}, &RecordedTick::tick);
    if (found == ticks.end() || found->tick != wanted)
        return fail(Code::not_found,
                    ticks.empty() ? std::string("the recording is empty")
                                  : fmt::format("tick {} is not in the recording, which holds {} to {}",
                                                wanted, ticks.front().tick, ticks.back().tick));
    if (tick()->tick > wanted) rewind();
    while (tick()->tick < wanted) step();
    return {};
}

std::optional<Replay::End> Replay::last_end(Who who) const {
    for (std::size_t i = next_; i > 0; --i) {
        const RecordedTick& then = recording_.ticks()[i - 1];
        for (const Change& change : then.changes | std::views::reverse) {
            if (std::holds_alternative<TreeChanged>(change)) return std::nullopt;
            if (const auto* popped = std::get_if<Popped>(&change); popped && popped->who == who)
                return End{then.tick, tick()->now - then.now, *popped};
        }
    }
    return std::nullopt;
}

std::string_view Replay::id(Who who) const {
    if (tree_ >= recording_.trees().size() || who >= recording_.trees()[tree_].ids.size()) return {};
    return recording_.trees()[tree_].ids[who];
}

std::string_view Replay::condition_text(Who who, std::uint32_t number) const {
    if (id(who).data() == nullptr) return {};
    const auto& texts = recording_.trees()[tree_].conditions[who];
    return number < texts.size() ? texts[number] : std::string_view();
}

Who Replay::find(std::string_view id) const {
    if (tree_ >= recording_.trees().size()) return nobody;
    const auto& ids = recording_.trees()[tree_].ids;
    const auto found = std::ranges::find(ids, id);
    return found == ids.end() ? nobody : static_cast<Who>(found - ids.begin());
}

}  // namespace caribou::behavior
