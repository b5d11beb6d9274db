#include "robot/duty_watch.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "robot/stop_desk.hpp"

namespace caribou::robot {

DutyWatch::DutyWatch(Strand& strand, RobotBuffers& buffers, motion::MotionControl& motion,
                     motion::LatchStore& latch, Log& log, bool receives)
    : strand_(strand), buffers_(buffers), motion_(motion), latch_(latch), log_(log) {
    if (receives)
        watched_.push_back({.who = ThreadName::receiver, .cause = motion::StopCause::receiver_silent});
}

void DutyWatch::look(bool is_ending) {
    const Instant now = strand_.loop().clock().now();
    const Duration gap = std::min(now - looked_.value_or(now), 2 * look_period);
    looked_ = now;
    for (Watched& thread : watched_) {
        if (!update(thread, gap) || is_ending) continue;
        log_.error(fmt::format("{} is silent: the robot stops until it is released", to_string(thread.who)));
        buffers_.stop_now(motion_, thread.cause, strand_.loop().clock());
        if (thread.who == ThreadName::stops) store_stop(now);
    }
    if (is_silent(ThreadName::stops)) answer_stops(now);
}

bool DutyWatch::is_silent(ThreadName who) const {
    const auto found = std::ranges::find(watched_, who, &Watched::who);
    return found != watched_.end() && found->silence > duty_limit &&
           buffers_.sign_of_life(who) == found->last;  // it may have run since the last look
}

bool DutyWatch::update(Watched& thread, Duration gap) {
    const Instant last = buffers_.sign_of_life(thread.who);
    const bool was_silent = thread.silence > duty_limit;
    if (std::exchange(thread.last, last) != last || last == Instant{}) {
        thread.silence = Duration::zero();
        if (was_silent) log_.warning(fmt::format("{} runs again", to_string(thread.who)));
        return false;
    }
    thread.silence += gap;
    return !was_silent && thread.silence > duty_limit;
}

void DutyWatch::store_stop(Instant now) {
    storing_since_ = now;
    stored_.reset();
    const auto on_stored = self_.bind([](DutyWatch& self, const Result<void>& outcome) {
        self.stored_ = outcome;
        if (!outcome) self.log_.error("latch not stored: " + outcome.error().message);
    });
    latch_.store({motion::StopCause::thread_silent},
                 [&strand = strand_, on_stored](const Result<void>& outcome) {
                     strand.post_here([on_stored, outcome] { on_stored(outcome); });
                 });
}

void DutyWatch::answer_stops(Instant now) {
    if (!stored_ && now - storing_since_ < motion::StopLatch::limit) return;
    motion::StopLatch::Outcome outcome{.in_effect = motion_.report().stop.has_value()};
    if (!stored_)
        outcome.not_stored = motion::StopLatch::too_slow;
    else if (!*stored_)
        outcome.not_stored = stored_->error().message;
    std::map<std::uint64_t, OpenStops::Stop> stops;
    buffers_.open_stops.change([&](OpenStops& open) { std::swap(stops, open.stops); });
    for (const auto& [number, stop] : stops) stop.reply(answer_to_stop(stop.id, outcome, motion_.report()));
}

}  // namespace caribou::robot
