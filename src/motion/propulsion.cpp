#include "motion/propulsion.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::motion {

Propulsion::Propulsion(Body& body, const MotionSettings& settings)
    : body_(body),
      settings_(settings),
      wheel_base_(body.plan().wheel_base),
      senses_(body, settings),
      feedback_(body.plan()),
      ramp_(settings),
      control_(settings, body.plan().max_speed),
      reflexes_(settings.back_off),
      battery_(settings),
      faults_(body.plan(), settings) {}

std::expected<void, MotionRefusal> Propulsion::set_target(const MotionOrder& order, Instant now) {
    const auto refuse = [](MotionRefusal why) { return std::unexpected(why); };
    const Duration time_to_live = order.time_to_live.value_or(settings_.time_to_live);
    if (order.source == MotionSource::reflex || !permit_.sources.contains(order.source))
        return refuse(MotionRefusal::not_permitted);
    if (time_to_live <= Duration::zero() || time_to_live > settings_.max_time_to_live)
        return refuse(MotionRefusal::bad_time_to_live);
    if (!order.command.is_valid()) return refuse(MotionRefusal::bad_velocity);
    if (!order.command.is_halt())
        if (const auto why = refusal_of_motion(order.command)) return refuse(*why);
    orders_.put(order, now + time_to_live - order.age);
    return {};
}

std::optional<MotionRefusal> Propulsion::refusal_of_motion(const MotionCommand& command) const {
    if (!faults_.faults().empty()) return MotionRefusal::faulted;
    if (!permit_.motors) return MotionRefusal::motors_off;
    if (stop_) return MotionRefusal::stop_latched;
    if (guard_cut_) return MotionRefusal::guard_cut;
    if (absent_) return MotionRefusal::body_absent;
    const MovementCommand* const movement = command.movement();
    if (settings_.strict_transitions && movement && !may_follow(ramp_.movement(), movement->movement_class()))
        return MotionRefusal::illegal_transition;
    return std::nullopt;
}

void Propulsion::full_stop(StopCause cause) {
    // A stop for shutdown is the only one that is not stored, so another one replaces it.
    if (!stop_ || *stop_ == StopCause::shutdown) stop_ = cause;
    orders_.drop_all();
    reflexes_.end();
}

void Propulsion::release_stop() {
    if (!emergency_) stop_.reset();
}

void Propulsion::permit(const MotionPermit& permit) {
    permit_ = permit;
    if (supervisor_silence_) supervisor_alive();
    orders_.drop_all_but(permit.motors ? permit.sources : MotionSources{});
    if (!permit.motors) reflexes_.end();
}

void Propulsion::link_lost() {
    orders_.drop(MotionSource::operator_);
    orders_.drop(MotionSource::autopilot);
}

void Propulsion::set_guard_cut(bool is_cut) {
    if (is_cut) {
        orders_.drop_all();
        reflexes_.end();
    }
    guard_cut_ = is_cut;
}

void Propulsion::step(Instant now) {
    const Senses& senses = senses_.read(feedback_.odometry(), now);
    feedback_.update(senses.right_ticks, senses.left_ticks, now);
    emergency_ = senses.emergency;
    if (emergency_) full_stop(StopCause::emergency_input);
    watch_supervisor(now);
    const MotionOrder* const order = live_order(now);
    const bool trusted = watch(senses, order, now);
    absent_ = !body_.absence().empty();
    Decision decision{.reasons = {trusted ? MotionReason::body_absent : MotionReason::fault}};
    if (trusted && !absent_)
        decision = decide(senses, order);
    else
        ramp_.cut(now);
    drive(decision, now);
    tell(decision, now);
}

void Propulsion::watch_supervisor(Instant now) {
    const Duration gap = last_step_ ? now - *last_step_ : Duration::zero();
    last_step_ = now;
    if (!supervisor_silence_) return;
    *supervisor_silence_ += std::min(gap, 2 * settings_.period);
    if (*supervisor_silence_ > supervisor_limit && permit_.motors) full_stop(StopCause::main_silent);
}

const MotionOrder* Propulsion::live_order(Instant now) {
    if (orders_.expire(now)) dead_man_ = true;
    const MotionOrder* const order = orders_.winner();
    if (order != nullptr) dead_man_ = false;
    return order;
}

/// Returns false if not even a movement to rest can be driven.
bool Propulsion::watch(const Senses& senses, const MotionOrder* order, Instant now) {
    report_.battery = battery_.update(senses.battery);
    // The body may go absent between two calls: absence is asked last.
    const bool cut = motors_on_ && !body_.motors_enabled() && body_.absence().empty();
    faults_.step(senses, {.now = now,
                          .motors_on = motors_on_,
                          .motors_were_cut = cut,
                          .driver_complains = enabling_failed_ || !body_.motor_fault().empty(),
                          .driven = ramp_.speeds(),
                          .measured = feedback_.measured(),
                          .battery = report_.battery});

    const auto ordered = order != nullptr ? std::optional(way_of(speeds_of(order->command))) : std::nullopt;
    const Way driven = way_of(ramp_.speeds());
    if (motors_on_ && !stop_ && !guard_cut_)
        reflexes_.step(senses, {driven, ordered, order != nullptr && order->touch}, now);
    if (faults_.stuck()) {
        reflexes_.end();
        reflexes_.hold(driven);
    }
    stuck_ = faults_.stuck() || (stuck_ && ordered && reflexes_.holds(*ordered));
    const MotionFaults& faults = faults_.faults();
    return !faults.contains(MotionFault::motor_driver) && !faults.contains(MotionFault::missed_deadlines);
}

Propulsion::Decision Propulsion::decide(const Senses& senses, const MotionOrder* order) const {
    Decision decision;
    MotionReasons& reasons = decision.reasons;
    if (!faults_.faults().empty()) reasons.insert(MotionReason::fault);
    if (emergency_) reasons.insert(MotionReason::emergency_input);
    if (stop_) reasons.insert(MotionReason::stop_latched);
    if (guard_cut_) reasons.insert(MotionReason::guard_cut);
    if (!permit_.motors) reasons.insert(MotionReason::motors_off);
    if (!reasons.empty()) {
        decision.braking = is_fully_stopped() ? Braking::full_stop : Braking::stop;
        return decision;
    }
    if (const auto away = reflexes_.away()) {
        const int level = *away == Way::ahead ? 1 : -1;
        decision.winner = MotionSource::reflex;
        decision.command = *MovementCommand::of(level, level);
        reasons.insert(*reflexes_.reason());
    } else if (order != nullptr) {
        decision.winner = order->source;
        decision.command = order->command;
        reasons.insert(MotionReason::order);
    } else {
        if (dead_man_) decision.braking = Braking::stop;
        reasons.insert(dead_man_ ? MotionReason::dead_man : MotionReason::no_order);
    }
    decision.speeds = speeds_of(decision.command);
    limit(decision, senses, order != nullptr && order->touch && !reflexes_.away());
    limit_by_zones(decision);
    // Also when the order is to halt or to back off. A velocity waits until the robot is at rest.
    if (danger(senses, way_of(ramp_.speeds()))) {
        decision.braking = Braking::stop;
        if (decision.command.velocity()) decision.speeds = {};
    }
    return decision;
}

void Propulsion::limit(Decision& decision, const Senses& senses, bool may_touch) const {
    const Way way = way_of(decision.speeds);
    if (way == Way::rest) return;
    double cap = settings_.level_3;
    if (decision.winner != MotionSource::reflex && reflexes_.holds(way)) {
        cap = 0.0;
        decision.reasons.insert(MotionReason::held);
    }
    const bool lifted = senses.cliff_ahead && senses.cliff_behind;
    if (const auto why = lifted ? MotionReason::cliff : danger(senses, way)) {
        cap = 0.0;
        decision.reasons.insert(*why);
    }
    if (!senses.missing.empty()) {
        cap = 0.0;
        decision.reasons.insert(MotionReason::blind);
    }
    const Clearance& clear = senses.clearance;
    const Clearance& lately = senses.lately;
    // An object that is out of sight may be gone: not a reason to stop, but to slow down.
    if (way == Way::ahead)
        cap = std::min({cap, cap_towards(clear.ahead(), clear.sees_ahead(), may_touch, decision.reasons),
                        cap_towards(lately.ahead(), true, true, decision.reasons)});
    if (way == Way::back)
        cap = std::min({cap, cap_towards(clear.behind(), clear.sees_behind(), may_touch, decision.reasons),
                        cap_towards(lately.behind(), true, true, decision.reasons)});
    const double fastest = std::max(std::abs(decision.speeds.right), std::abs(decision.speeds.left));
    // Between the cones of the range sensors are gaps, which the lidar would see into.
    if (senses.lidar_is_silent && std::min(fastest, cap) > settings_.level_1) {
        cap = settings_.level_1;
        decision.reasons.insert(MotionReason::blind);
    }
    if (fastest <= cap) return;
    decision.braking = Braking::stop;
    decision.speeds.right *= cap / fastest;
    decision.speeds.left *= cap / fastest;
}

/// Also the reflexes: in front of a keep-out zone the robot halts rather than backs off into it.
void Propulsion::limit_by_zones(Decision& decision) const {
    if (zones_.empty()) return;
    const auto fastest_of = [](const WheelSpeeds& speeds) {
        return std::max(std::abs(speeds.right), std::abs(speeds.left));
    };
    const auto limit_of = [&](const WheelSpeeds& speeds) {
        return zone_limit(zones_,
                          {.pose = feedback_.odometry().pose,
                           .speeds = speeds,
                           .driven = ramp_.speeds(),
                           .radius = body_.plan().radius},
                          settings_);
    };
    // Also when the order is to halt, which would brake less.
    if (fastest_of(ramp_.speeds()) > limit_of(ramp_.speeds()).cap) decision.braking = Braking::stop;
    const double fastest = fastest_of(decision.speeds);
    const ZoneLimit limit = limit_of(decision.speeds);
    if (fastest <= limit.cap) return;
    decision.reasons.insert(limit.stops ? MotionReason::zone_stop : MotionReason::zone_slow);
    decision.braking = Braking::stop;
    decision.speeds.right *= limit.cap / fastest;
    decision.speeds.left *= limit.cap / fastest;
}

double Propulsion::cap_towards(double clear, bool sees, bool may_touch, MotionReasons& reasons) const {
    if (!sees) {
        reasons.insert(MotionReason::blind);
        return settings_.creep_speed;
    }
    if (clear >= settings_.slow_zone) return settings_.level_3;
    const double beyond = clear - settings_.stop_zone;
    if (beyond <= 0.0 && !may_touch) {
        reasons.insert(MotionReason::obstacle_stop);
        return 0.0;
    }
    reasons.insert(MotionReason::obstacle_slow);
    if (beyond <= 0.0) return settings_.creep_speed;
    const double share = beyond / (settings_.slow_zone - settings_.stop_zone);
    const double braking = std::sqrt(2.0 * settings_.stop_deceleration * beyond);
    return std::max(settings_.creep_speed, std::min(braking, share * settings_.level_3));
}

void Propulsion::drive(const Decision& decision, Instant now) {
    ramp_.step({decision.speeds, decision.braking, decision.command.velocity() != nullptr}, now);
    const bool wanted = permit_.motors && faults_.faults().empty() && !absent_;
    // Motors are switched off only after they have come to rest.
    if (wanted != motors_on_ && (wanted || ramp_.at_rest())) {
        const bool done = body_.enable_motors(wanted).has_value();
        enabling_failed_ = !done && body_.absence().empty();
        motors_on_ = wanted && done;
    }
    if (!motors_on_) ramp_.cut(now);
    body_.drive(control_.step(ramp_.speeds(), feedback_.measured(), now));
}

void Propulsion::tell(const Decision& decision, Instant now) {
    report_.at = now;
    report_.state = feedback_.state();
    report_.movement = ramp_.movement();
    report_.driven = ramp_.speeds();
    report_.measured = feedback_.measured();
    report_.winner = decision.winner;
    report_.command = decision.command;
    const WheelSpeeds ordered = speeds_of(decision.command);
    report_.right_level = settings_.level_of(ordered.right);
    report_.left_level = settings_.level_of(ordered.left);
    report_.reasons = decision.reasons;
    if (ramp_.goes_through_halt()) report_.reasons.insert(MotionReason::through_halt);
    report_.reason = report_.reasons.strongest();
    report_.faults = faults_.faults();
    report_.permit = permit_;
    report_.stop = stop_;
    report_.stuck = stuck_;
    report_.odometry = feedback_.odometry();
    ++report_.steps;
    report_.late_steps = faults_.late_steps();
    report_.watchdog_at = now;
    report_.watchdog_looks = report_.steps;
}

}  // namespace caribou::motion
