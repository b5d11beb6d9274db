#include "cubes/coordinator.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::cubes {
namespace {

using enum CoordinatorState;

template <class A, class B>
bool is_same_owner(const A& a, const B& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

CubeConnectionCoordinator::CubeConnectionCoordinator(Loop& loop, CubeLink& link, ConnectionLights& lights,
                                                     CoordinatorTimes times)
    : loop_(loop),
      link_(link),
      lights_(lights),
      times_(times),
      timer_(loop.make_timer([this] { update(); })),
      self_(std::make_shared<CubeConnectionCoordinator*>(this)) {
    link_.add_observer(*this);
}

CubeConnectionCoordinator::~CubeConnectionCoordinator() { link_.remove_observer(*this); }

CubeSubscription CubeConnectionCoordinator::subscribe(CubeConnectionSubscriber& subscriber,
                                                      const SubscribeOptions& options) {
    check(!subscriber.cube_connection_debug_name().empty(), "a subscriber to a cube has a debug name");
    const Instant now = loop_.clock().now();
    Record record{++last_id_, subscriber.self_, options.type, now, {}, {}};
    if (options.expires_after && *options.expires_after < Instant::max() - now)
        record.expires = now + *options.expires_after;
    const auto old = std::ranges::find_if(
        records_, [&](const Record& r) { return is_same_owner(r.subscriber, subscriber.self_); });
    if (old != records_.end()) {
        // Otherwise a subscriber that subscribes inside the callback would be called without end.
        if (told_now_ == old->id) {
            record.told = old->told;
            told_now_ = record.id;
        }
        records_.erase(old);
    }
    records_.push_back(std::move(record));
    if (std::ranges::none_of(subscriber.coordinators_,
                             [&](const auto& known) { return is_same_owner(known, self_); }))
        subscriber.coordinators_.emplace_back(self_);
    timer_->arm(now);
    return {self_, last_id_};
}

void CubeConnectionCoordinator::forget(const CubeConnectionSubscriber& subscriber) {
    std::erase_if(records_, [&](const Record& r) { return is_same_owner(r.subscriber, subscriber.self_); });
    timer_->arm(loop_.clock().now());
}

void CubeConnectionCoordinator::unsubscribe(std::uint64_t id) {
    const auto found = std::ranges::lower_bound(records_, id, {}, &Record::id);
    if (found == records_.end() || found->id != id) return;
    records_.erase(found);
    timer_->arm(loop_.clock().now());
}

bool CubeConnectionCoordinator::holds(std::uint64_t id) const {
    return std::ranges::binary_search(records_, id, {}, &Record::id);
}

bool CubeConnectionCoordinator::wants_interactable() const {
    return std::ranges::any_of(records_,
                               [](const Record& r) { return r.type == ConnectionType::interactable; });
}

std::optional<ConnectionType> CubeConnectionCoordinator::connection() const {
    switch (state_) {
        case connected_interactable:
        case switching_to_background: return ConnectionType::interactable;
        case connected_background: return ConnectionType::background;
        default: return std::nullopt;
    }
}

void CubeConnectionCoordinator::on_link_connected() {
    if (connection()) return;
    drop_expired(loop_.clock().now());
    back_off_ = Duration::zero();
    not_before_ = Instant{};
    const std::string why =
        state_ == connecting ? "the cube is connected" : "a cube was connected, and not by the coordinator";
    wants_interactable() ? become_interactable(why) : become_background(why);
    update();
}

void CubeConnectionCoordinator::on_link_progress() {
    if (state_ != connecting) return;
    deadline_ = loop_.clock().now() + times_.connect_limit;
    arm();
}

void CubeConnectionCoordinator::on_link_failed(const Error& why) {
    if (state_ == connecting) fail_attempt(why.message);
    update();
}

void CubeConnectionCoordinator::on_link_closed(const Error& why) {
    if (connection())
        lose("the link was lost: " + why.message);
    else if (state_ == connecting)
        fail_attempt(why.message);
    update();
}

void CubeConnectionCoordinator::on_link_ending() {
    if (!connection()) return;
    lose("the link was ended, and not by the coordinator");
    update();
}

void CubeConnectionCoordinator::lose(const std::string& why) {
    lights_.stop_connection_lights();
    lights_.enable_status_lights(false);
    dismiss_all(Farewell::lost, why);
}

void CubeConnectionCoordinator::update() {
    const Instant now = loop_.clock().now();
    drop_expired(now);
    tell_type();
    while (advance(now)) tell_type();
    arm();
}

bool CubeConnectionCoordinator::advance(Instant now) {
    const bool is_interactable_needed = wants_interactable();
    keep(not_needed_since_,
         (state_ == connected_interactable && !is_interactable_needed) ||
             (state_ == connected_background && records_.empty()),
         now);
    const std::optional<Instant> when = due();
    const bool is_due = when && now >= *when;
    switch (state_) {
        case unconnected:
            if (is_due) begin_attempt(now);
            return is_due;
        case connecting:
            if (records_.empty())
                begin_disconnecting(now, "the last subscriber is gone");
            else if (is_due)
                fail_attempt("the time limit for connecting has passed");
            return state_ != connecting;
        case connected_interactable:
            if (!is_due) return false;
            enter(switching_to_background, "no subscription needs it interactable");
            deadline_ = now + lights_.play_disconnect_lights() + times_.lights_grace;
            return true;
        case switching_to_background:
            if (is_interactable_needed) {
                lights_.stop_connection_lights();
                enter(connected_interactable, "an interactable subscription came in time");
            } else if (is_due) {
                become_background("the disconnect lights are over");
            }
            return state_ != switching_to_background;
        case connected_background:
            if (is_interactable_needed)
                become_interactable("an interactable subscription");
            else if (is_due)
                begin_disconnecting(now, "no subscription needs it");
            return state_ != connected_background;
        case disconnecting:
            if (link_.link_state() == LinkState::idle)
                enter(unconnected, "the link is closed");
            else if (is_due)
                enter(unconnected, "the time limit for disconnecting has passed");
            return state_ != disconnecting;
    }
    return false;
}

void CubeConnectionCoordinator::begin_attempt(Instant now) {
    enter(connecting, "there is a subscription");
    deadline_ = now + times_.connect_limit;
    if (const auto began = link_.connect(); !began) fail_attempt(began.error().message);
}

void CubeConnectionCoordinator::fail_attempt(const std::string& why) {
    link_.disconnect();
    back_off_ = std::clamp(back_off_ * 2, times_.first_back_off, times_.max_back_off);
    not_before_ = loop_.clock().now() + back_off_;
    dismiss_all(Farewell::failed, "connecting has failed: " + why);
}

void CubeConnectionCoordinator::become_interactable(const std::string& why) {
    enter(connected_interactable, why);
    lights_.enable_status_lights(true);
    lights_.play_connection_lights();
}

void CubeConnectionCoordinator::become_background(const std::string& why) {
    enter(connected_background, why);
    lights_.enable_status_lights(false);
}

void CubeConnectionCoordinator::begin_disconnecting(Instant now, const std::string& why) {
    enter(disconnecting, why);
    deadline_ = now + times_.disconnect_limit;
    link_.disconnect();
}

void CubeConnectionCoordinator::dismiss_all(Farewell farewell, const std::string& why) {
    const std::vector<Record> dismissed = std::exchange(records_, {});
    enter(unconnected, why);
    for (const Record& record : dismissed)
        notify(record.subscriber, [&](CubeConnectionSubscriber& subscriber) {
            farewell == Farewell::lost ? subscriber.connection_lost_callback()
                                       : subscriber.connection_failed_callback();
        });
}

template <class Call>
bool CubeConnectionCoordinator::notify(const std::weak_ptr<CubeConnectionSubscriber*>& subscriber,
                                       Call call) {
    const auto found = subscriber.lock();
    if (!found) return true;
    const std::string name((*found)->cube_connection_debug_name());
    std::string what;
    try {
        call(**found);
        return true;
    } catch (const std::exception& thrown) {
        what = thrown.what();
        // tidy: allow catch: user code may throw anything, and nothing of it may end the robot
    } catch (...) {
        what = "a value that is not an exception";
    }
    if (on_throw_) on_throw_(name, what);
    return false;
}

void CubeConnectionCoordinator::drop_expired(Instant now) {
    std::erase_if(records_, [&](const Record& r) { return r.expires && now >= *r.expires; });
}

/// A callback may subscribe and unsubscribe anyone. New subscriptions have higher ids and are therefore
/// notified in the same loop.
void CubeConnectionCoordinator::tell_type() {
    const auto type = connection();
    std::uint64_t last = 0;
    while (type) {
        const auto next =
            std::find_if(std::ranges::upper_bound(records_, last, {}, &Record::id), records_.end(),
                         [&](const Record& record) { return record.told != type; });
        if (next == records_.end()) return;
        last = told_now_ = next->id;
        next->told = type;
        const bool is_good =
            notify(std::weak_ptr(next->subscriber),
                   [&](CubeConnectionSubscriber& subscriber) { subscriber.connected_callback(*type); });
        const std::uint64_t told = std::exchange(told_now_, 0);
        if (!is_good) unsubscribe(told);
    }
}

void CubeConnectionCoordinator::enter(CoordinatorState to, std::string why) {
    history_.push_back({loop_.clock().now(), state_, to, std::move(why)});
    if (history_.size() > history_size) history_.pop_front();
    ++transitions_;
    state_ = to;
    deadline_.reset();
    not_needed_since_.reset();
}

std::optional<Instant> CubeConnectionCoordinator::due() const {
    switch (state_) {
        case unconnected: return records_.empty() ? std::nullopt : std::optional(not_before_);
        case connected_interactable:
            return not_needed_since_ ? std::optional(*not_needed_since_ + times_.standby) : std::nullopt;
        case connected_background:
            return not_needed_since_ ? std::optional(*not_needed_since_ + times_.background_hold)
                                     : std::nullopt;
        default: return deadline_;
    }
}

std::string_view CubeConnectionCoordinator::due_for() const {
    switch (state_) {
        case unconnected: return "next attempt";
        case connecting: return "time limit for connecting";
        case connected_interactable: return "standby";
        case switching_to_background: return "disconnect lights";
        case connected_background: return "background hold";
        case disconnecting: return "time limit for disconnecting";
    }
    return "";
}

void CubeConnectionCoordinator::keep(std::optional<Instant>& since, bool holds, Instant now) {
    if (!holds)
        since.reset();
    else if (!since)
        since = now;
}

void CubeConnectionCoordinator::arm() {
    std::optional<Instant> next = due();
    for (const Record& record : records_)
        if (record.expires && (!next || *record.expires < *next)) next = record.expires;
    next ? timer_->arm(*next) : timer_->cancel();
}

CoordinatorStatus CubeConnectionCoordinator::status() const {
    const Instant now = loop_.clock().now();
    CoordinatorStatus status{state_, {}, {}};
    for (const Record& record : records_) {
        const auto subscriber = record.subscriber.lock();
        if (!subscriber) continue;
        SubscriberStatus one{std::string((*subscriber)->cube_connection_debug_name()), record.type};
        if (record.expires) one.expires_in = *record.expires - now;
        one.for_so_long = now - record.since;
        status.subscribers.push_back(std::move(one));
    }
    if (const auto when = due())
        status.countdown = {std::string(due_for()), std::max(*when - now, Duration::zero())};
    return status;
}

}  // namespace caribou::cubes
