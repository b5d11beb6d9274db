#include "motion/reflexes.hpp"

#include <algorithm>

namespace caribou::motion {

std::optional<MotionReason> danger(const Senses& senses, Way way) {
    const bool cliff = way == Way::ahead ? senses.cliff_ahead : senses.cliff_behind;
    const bool bump = way == Way::ahead ? senses.bump_ahead : senses.bump_behind;
    if (way != Way::ahead && way != Way::back) return std::nullopt;
    if (cliff) return MotionReason::cliff;
    return bump ? std::optional(MotionReason::bump) : std::nullopt;
}

namespace {

Way opposite(Way way) { return way == Way::ahead ? Way::back : Way::ahead; }

}  // namespace

void Reflexes::step(const Senses& senses, const Situation& situation, Instant now) {
    if (situation.ordered != held_) held_.reset();
    if (away_ && (!situation.ordered || is_over(senses, situation.driven, now))) away_.reset();
    if (!away_ && situation.ordered) begin(senses, situation, now);
}

void Reflexes::begin(const Senses& senses, const Situation& situation, Instant now) {
    const auto why = danger(senses, situation.driven);
    if (!why) return;
    held_ = situation.driven;
    if (situation.may_touch && *why == MotionReason::bump) return;
    away_ = {opposite(situation.driven), *why, now + limit, now + limit};
}

bool Reflexes::is_over(const Senses& senses, Way driven, Instant now) {
    if (driven == away_->way) away_->until = std::min(away_->until, now + back_off_);
    return danger(senses, away_->way) || now >= away_->until || now >= away_->ends;
}

}  // namespace caribou::motion
