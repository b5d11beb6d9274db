#include "robot/fact_keeper.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caribou::robot {

void FactKeeper::load() {
    if (std::exchange(is_loaded_, true)) return;
    const auto text = store_->load();
    if (!text && text.error().code == Code::not_found) return;
    auto kept = text ? behavior::kept_facts_from(*text) : fail(text.error());
    if (kept) {
        stored_ = std::move(*kept);
        return;
    }
    log_.error("ai: the stored facts cannot be used: " + kept.error().message);
    // Those of a newer version are kept for that version.
    if (kept.error().code == Code::refused) store_ = nullptr;
}

void FactKeeper::set_tree(const behavior::FactDeclarations& declared, behavior::Facts& facts) {
    kept_.clear();
    for (const auto& [name, fact] : declared)
        if (fact.is_kept) kept_.emplace(name, fact);
    if (!store_ || kept_.empty()) return;
    load();
    const auto unfit = behavior::restore(stored_, kept_, facts);
    if (!unfit.empty())
        log_.warning(fmt::format("ai: the stored values of these facts do not fit their declarations: {}",
                                 fmt::join(unfit, ", ")));
}

void FactKeeper::look(const behavior::Facts& facts, Instant now) {
    if (kept_.empty() || now < not_before_) return;
    not_before_ = now + pause;
    save(facts);
}

void FactKeeper::save(const behavior::Facts& facts) {
    if (!store_ || kept_.empty()) return;
    behavior::KeptFacts all = stored_;
    for (auto& [name, value] : behavior::kept_of(kept_, facts)) all.insert_or_assign(name, std::move(value));
    if (all == stored_) return;
    if (const auto saved = store_->save(behavior::file_text_of(all)); !saved)
        log_.error("ai: the facts are not stored: " + saved.error().message);
    stored_ = std::move(all);
}

}  // namespace caribou::robot
