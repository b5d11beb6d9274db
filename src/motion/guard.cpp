#include "motion/guard.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace caribou::motion {
namespace {

/// As of a process that was ended by SIGKILL.
constexpr int killed_status = 128 + 9;

}  // namespace

Guard::Actions Guard::on_message(const RobotToGuard& message, Instant now) {
    latest_ = std::max(latest_, now);
    return std::visit([&](const auto& each) { return take(each, now); }, message);
}

Guard::Actions Guard::take(const GuardStart&, Instant now) {
    Actions actions;
    if (state_ == State::armed || driver_runs_) actions = cut("the robot has started anew", now);
    given_up_ = false;
    end_by_.reset();
    off_by_.reset();
    restorations_.clear();
    actions.push_back(restored(now));
    return actions;
}

Guard::Actions Guard::take(const GuardFeed& feed, Instant now) {
    if (state_ == State::off) return {};
    // A stamp from the future would delay a cut.
    last_feed_ = std::min(feed.at, now);
    if (state_ == State::cut) return feed.moving ? Actions{} : try_to_restore(now);
    motors_on_ = feed.motors_on || feed.moving;
    moving_ = feed.moving;
    if (!feed.driver_lost || hello_by_ || way_ != GuardWay::driver) {
        lost_since_.reset();
        return {};
    }
    if (!lost_since_) lost_since_ = now;
    if (now - *lost_since_ < limits_.lost) return {};
    return cut("the driver does not answer", now);
}

Guard::Actions Guard::take(const DriverFacts& facts, Instant) {
    facts_ = facts;
    hello_by_.reset();
    return {};
}

Guard::Actions Guard::take(const GuardBye& bye, Instant now) {
    if (state_ == State::off) return {};
    Actions actions;
    if (!bye.at_rest && state_ == State::armed)
        actions = cut("the robot ends, and its driver has not confirmed rest", now);
    state_ = State::off;
    motors_on_ = false;
    hello_by_.reset();
    if (driver_runs_) farewell_by_ = now + limits_.farewell;
    is_terminated_ = false;
    expect_end(now);
    actions.emplace_back(Release{});
    return actions;
}

void Guard::on_end_requested(Instant now, Ending why) {
    expect_end(now);
    if (!off_by_) off_by_ = now + limits_.switch_off;
    is_power_off_ = is_power_off_ || why == Ending::power_off;
}

void Guard::expect_end(Instant now) {
    if (!end_by_ && !status_) end_by_ = now + limits_.end;
}

Guard::Actions Guard::on_robot_stopped() {
    if (state_ != State::armed || !motors_on_) return {};
    return cut("the robot's process is stopped", latest_);
}

Guard::Actions Guard::on_robot_ended(int status) {
    status_ = is_killed_ && is_power_off_ ? off_status : status;
    end_by_.reset();
    Actions actions;
    if (state_ == State::armed) actions = cut("the robot's process has ended", latest_);
    state_ = State::off;
    if (!driver_runs_) actions.emplace_back(End{*status_});
    return actions;
}

Guard::Actions Guard::on_driver_ended(Instant now) {
    latest_ = std::max(latest_, now);
    driver_runs_ = false;
    farewell_by_.reset();
    if (state_ == State::armed) return cut("the driver has ended", now);
    if (status_) return {End{*status_}};
    return {};
}

Guard::Actions Guard::on_time(Instant now) {
    latest_ = std::max(latest_, now);
    if (state_ == State::armed && motors_on_ && now - *last_feed_ >= limits_.feed)
        return cut(fmt::format("no feed for {} ms", (now - *last_feed_) / std::chrono::milliseconds(1)), now);
    if (state_ == State::armed && hello_by_ && now >= *hello_by_)
        return cut("the driver has not introduced itself", now);
    if (state_ == State::armed && motors_on_ && !moving_ && off_by_ && now >= *off_by_)
        return cut("the robot is to end and does not switch its motors off", now);
    if (end_by_ && now >= *end_by_ && !std::exchange(is_killed_, true)) {
        end_by_ = now + limits_.killed;
        return {Kill{}};
    }
    if (end_by_ && now >= *end_by_) return on_robot_ended(killed_status);
    if (farewell_by_ && now >= *farewell_by_ && !std::exchange(is_terminated_, true)) {
        farewell_by_ = now + limits_.terminate;
        return {Terminate{}};
    }
    if (farewell_by_ && now >= *farewell_by_) {
        Actions actions = cut("the driver does not end", now);
        state_ = State::off;
        if (status_) actions.emplace_back(End{*status_});
        return actions;
    }
    return {};
}

void Guard::on_not_restored(Instant now) {
    if (!restorations_.empty() && restorations_.back() == restored_at_) restorations_.pop_back();
    std::ignore = cut({}, now);
}

void Guard::set_way(GuardWay way, Instant now) {
    way_ = way;
    std::ignore = restored(now);
}

std::optional<Instant> Guard::due() const {
    std::optional<Instant> due = farewell_by_;
    const auto take_earlier = [&](Instant at) { due = due ? std::min(*due, at) : at; };
    if (state_ == State::armed && motors_on_) take_earlier(*last_feed_ + limits_.feed);
    if (state_ == State::armed && hello_by_) take_earlier(*hello_by_);
    if (end_by_) take_earlier(*end_by_);
    if (state_ == State::armed && motors_on_ && !moving_ && off_by_) take_earlier(*off_by_);
    return due;
}

/// The caller kills the driver, whose end it does not report any more.
Guard::Actions Guard::cut(std::string reason, Instant now) {
    state_ = State::cut;
    cut_at_ = now;
    motors_on_ = driver_runs_ = false;
    lost_since_.reset();
    hello_by_.reset();
    farewell_by_.reset();
    return {Cut{std::move(reason)}};
}

Guard::Actions Guard::try_to_restore(Instant now) {
    if (given_up_ || end_by_ || now - cut_at_ < limits_.pause) return {};
    while (!restorations_.empty() && now - restorations_.front() >= limits_.window) restorations_.pop_front();
    if (restorations_.size() >= limits_.restorations) {
        given_up_ = true;
        return {GiveUp{fmt::format("the body was cut {} times within {} s", restorations_.size() + 1,
                                   limits_.window / std::chrono::seconds(1))}};
    }
    restorations_.push_back(now);
    return {restored(now)};
}

Guard::Action Guard::restored(Instant now) {
    state_ = State::armed;
    motors_on_ = false;
    driver_runs_ = way_ == GuardWay::driver;
    farewell_by_.reset();
    hello_by_.reset();
    restored_at_ = now;
    if (driver_runs_) hello_by_ = now + limits_.hello;
    return Restore{};
}

}  // namespace caribou::motion
