#include "behavior/scoring.hpp"

#include <cmath>
#include <utility>

namespace caribou::behavior {

void Scoring::add(Behavior& child, ScoreOptions options) {
    add_child(child);
    scored_.push_back({std::move(options)});
}

double Scoring::score(const View& view, std::size_t i) const {
    const auto& [options, ended] = scored_[i];
    double score = options.base;
    if (!options.fact.empty()) {
        const Value* known = view.facts().find(options.fact);
        if (const double* number = known ? std::get_if<double>(known) : nullptr) score += *number;
    }
    if (options.function) score += options.function(view);
    if (ended && options.recovery > Duration::zero()) {
        const double rested = to_seconds(view.now() - *ended) / to_seconds(options.recovery);
        if (rested < 1) score -= options.penalty * (1 - rested);
    }
    return std::isnan(score) ? 0 : score;
}

void Scoring::choose(Control& control, const Outcome*) {
    if (running()) return;
    std::optional<std::size_t> best;
    double best_score = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        if (!ask(control, i)) continue;
        const double its_score = score(control, i);
        if (its_score <= best_score) continue;
        best = i;
        best_score = its_score;
    }
    if (best)
        start(control, *best);
    else
        end_unless_waiting(control);
}

void Scoring::on_child_ended(const View& view, std::size_t i) { scored_[i].ended = view.now(); }

}  // namespace caribou::behavior
