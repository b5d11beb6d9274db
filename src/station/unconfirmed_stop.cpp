#include "station/unconfirmed_stop.hpp"

#include <utility>

namespace caribou::station {

void UnconfirmedStop::sending(std::string_view by, Instant now) {
    ++under_way_;
    sent_at_ = now;
    if (!open_ && !by.empty()) open_ = Open{now, std::string(by), {}};
}

bool UnconfirmedStop::learn(const link::Answer& answer, Instant now) {
    if (!answer.is_final()) return false;
    --under_way_;
    if (!open_) return false;
    if (!answer.refusal) {
        const bool was_shown = shown(now) != nullptr;
        open_.reset();
        return was_shown;
    }
    std::string why = answer.text.empty() ? "it was refused" : answer.text;
    const bool is_other = why != open_->why;
    open_->why = std::move(why);
    return is_other;
}

bool UnconfirmedStop::stopped_at(Instant time) { return open_ && time >= open_->since && dismiss(); }

bool UnconfirmedStop::dismiss() { return std::exchange(open_, std::nullopt).has_value(); }

const UnconfirmedStop::Open* UnconfirmedStop::shown(Instant now) const {
    return open_ && (!open_->why.empty() || now - open_->since >= quiet) ? &*open_ : nullptr;
}

bool UnconfirmedStop::is_due(Instant now) const {
    return open_ && under_way_ == 0 && now - sent_at_ >= pause;
}

}  // namespace caribou::station
