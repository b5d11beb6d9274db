#include "robot/start_up.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loop/duration_text.hpp"

namespace caribou::robot {

std::optional<ThreadName> StartUp::next(Instant now) {
    if (failure_ || begun_ || at_ == steps_.size()) return std::nullopt;
    begun_ = now;
    return steps_[at_].who;
}

void StartUp::end_step(std::string why, Instant now) {
    taken_.push_back({steps_[at_].who, now - *begun_, std::move(why)});
    begun_.reset();
    ++at_;
}

void StartUp::complain(const std::string& why, Instant now, bool runs_anyway) {
    const Step step = steps_[at_];
    complaints_.emplace_back(step.who, why);
    if (step.required && !runs_anyway) failure_ = fmt::format("{}: {}", to_string(step.who), why);
    end_step(why, now);
}

void StartUp::on_started(ThreadName who, const Result<void>& outcome, Instant now, bool runs_anyway) {
    if (!begun_ || steps_[at_].who != who) return;
    if (!outcome) return complain(outcome.error().message, now, runs_anyway);
    end_step({}, now);
}

void StartUp::tick(Instant now) {
    if (begun_ && now - *begun_ >= limit_)
        complain(fmt::format("it did not report within {}", duration_text(limit_)), now);
}

std::optional<Instant> StartUp::due() const {
    return begun_ ? std::optional(*begun_ + limit_) : std::nullopt;
}

const std::string* StartUp::complaint_of(ThreadName who) const {
    const auto found = std::ranges::find(complaints_, who, &std::pair<ThreadName, std::string>::first);
    return found == complaints_.end() ? nullptr : &found->second;
}

}  // namespace caribou::robot
