#include "station/autopilot.hpp"

#include <utility>

#include <fmt/format.h>

#include "behavior/strict_priority.hpp"
#include "data/places.hpp"
#include "link/command_movement.hpp"
#include "loop/duration_text.hpp"
#include "map/zone_data.hpp"
#include "station/robot_json.hpp"

namespace caribou::station {

using behavior::Control;
using link::Objection;
using link::Refusal;

/// A release must not let the route go on.
constexpr const char* why_stopped = "the robot is stopped";

/// Sends `dock` once; the robot leaves RM3 and docks by itself. While this is active, no other behavior
/// drives. The final answer ends the mission.
class Autopilot::DockWhenLow final : public behavior::Behavior {
public:
    explicit DockWhenLow(Autopilot& pilot) : Behavior("dock_when_low"), pilot_(pilot) {}

private:
    behavior::Wants wants_to_be_activated(const behavior::View& view) const override {
        return view.facts().holds("battery_low") ? behavior::Wants::yes()
                                                 : behavior::Wants::no("the battery is not low");
    }
    void on_activated(Control&) override { pilot_.dock(); }

    Autopilot& pilot_;
};

class Autopilot::VisitWayPoints final : public behavior::Behavior {
public:
    explicit VisitWayPoints(Autopilot& pilot) : Behavior("visit_way_points"), pilot_(pilot) {}

private:
    behavior::Wants wants_to_be_activated(const behavior::View&) const override { return true; }
    void update(Control& control) override {
        if (control.is_active()) pilot_.drive();
    }

    Autopilot& pilot_;
};

Autopilot::Autopilot(RobotSession& session, const Clock& clock, const AutopilotSettings& settings,
                     MapSource map)
    : session_(session), clock_(clock), settings_(settings), map_(std::move(map)) {}

Autopilot::~Autopilot() { *self_ = nullptr; }

// Requests.

std::optional<Objection> Autopilot::load(Route route) {
    if (state_ == State::driving)
        return Objection{Refusal::busy, fmt::format("it drives {}: abort that first", route_->name)};
    route_ = std::move(route);
    life_ = session_.life();
    state_ = State::idle;
    why_.clear();
    next_ = 0;
    way_.reset();
    return std::nullopt;
}

std::optional<Objection> Autopilot::start(std::string_view by) {
    if (!route_) return Objection{Refusal::unavailable, "no route is loaded"};
    if (state_ == State::driving) return Objection{Refusal::busy, "it is driving already"};
    if (auto objection = objection_to_age()) return objection;
    auto way = session_.telemetry() ? make_way_finder() : nullptr;
    if (way)
        if (auto objection = objection_to_points(*way)) return objection;
    if (auto objection = session_.engage_autopilot(by)) return objection;
    next_ = 0;
    round_ = 0;
    way_ = std::move(way);
    begin();
    return std::nullopt;
}

std::optional<Objection> Autopilot::pause() {
    if (state_ != State::driving) return Objection{Refusal::wrong_mode, "it is not driving"};
    move({});
    end(State::paused, "");
    return std::nullopt;
}

std::optional<Objection> Autopilot::resume(std::string_view by) {
    if (state_ != State::paused) return Objection{Refusal::wrong_mode, "it is not paused"};
    if (auto objection = session_.engage_autopilot(by)) return objection;
    begin();
    return std::nullopt;
}

std::optional<Objection> Autopilot::abort() {
    if (state_ != State::driving && state_ != State::paused)
        return Objection{Refusal::wrong_mode, "it is neither driving nor paused"};
    if (state_ == State::driving) move({});
    end(State::aborted, "");
    return std::nullopt;
}

std::optional<Objection> Autopilot::clear() {
    if (!route_) return Objection{Refusal::unavailable, "no route is loaded"};
    if (state_ == State::driving)
        return Objection{Refusal::busy, fmt::format("it drives {}: abort that first", route_->name)};
    remove();
    return std::nullopt;
}

void Autopilot::remove() {
    route_.reset();
    state_ = State::idle;
    why_.clear();
    next_ = 0;
    way_.reset();
}

std::unique_ptr<WayFinder> Autopilot::make_way_finder() {
    std::vector<Vec2> area = route_->points;
    area.push_back(position(session_.telemetry()->pose));
    WayFinderSettings settings = settings_.way;
    settings.near = route_->near;
    settings.level = route_->level;
    auto way = std::make_unique<WayFinder>(settings, area);
    take_map(*way);
    return way;
}

void Autopilot::take_map(WayFinder& way) {
    const ShownMap shown = map_ ? map_() : ShownMap{};
    if (shown.grid) way.take_map(*shown.grid);
    if (shown.places && (!zones_ || shown.places->json != places_)) {
        places_ = shown.places->json;
        // Zones that are not good are left out: the robot itself obeys them anyway.
        auto zones = map::zones_from(read_shown<data::Places>(shown.places).zones);
        zones_ = std::make_shared<const std::vector<Zone>>(zones ? std::move(*zones) : std::vector<Zone>());
    }
    way.take_zones(zones_);
}

std::optional<Objection> Autopilot::objection_to_points(WayFinder& way) const {
    constexpr std::size_t most_planned = 20;  // legs, so that a long route does not delay other robots
    Vec2 from = position(session_.telemetry()->pose);
    for (std::size_t i = 0; i < route_->points.size(); ++i) {
        const Vec2 to = route_->points[i];
        if (const auto why = i < most_planned ? way.objection_to(from, to) : way.objection_to(to))
            return Objection{Refusal::unsafe,
                             fmt::format("cannot reach {}: {}", point_text(i), map::sentence(*why))};
        from = to;
    }
    return std::nullopt;
}

void Autopilot::begin() {
    state_ = State::driving;
    why_.clear();
    refused_since_.reset();
    motion_.reset();
    way_->set_goal(route_->points[next_], clock_.now());
    auto tree = std::make_unique<behavior::BehaviorTree>();
    auto& mission = tree->emplace<behavior::StrictPriority>("mission");
    mission.add(tree->emplace<DockWhenLow>(*this));
    mission.add(tree->emplace<VisitWayPoints>(*this));
    runner_ = std::make_unique<behavior::BehaviorRunner>(std::move(tree), facts_);
    std::ignore = runner_->set_base("mission");
}

void Autopilot::end(State state, std::string why) {
    state_ = state;
    why_ = std::move(why);
    waits_.clear();
    session_.disengage_autopilot(why_.empty() ? std::string() : fmt::format("autopilot: {}", why_));
}

// Events.

void Autopilot::on_status() {
    if (state_ == State::driving && session_.mode() != StationMode::run2) end(State::paused, session_.why());
}

void Autopilot::end_with_life() {
    if (life_ == 0) life_ = session_.life();
    const bool is_open = state_ == State::idle || state_ == State::driving || state_ == State::paused;
    const auto objection = objection_to_age();
    if (!objection || route_->points.empty()) return;
    if (!is_open) return remove();
    way_.reset();
    route_->points.clear();
    next_ = 0;
    end(State::failed, objection->text);
}

std::optional<Objection> Autopilot::objection_to_age() const {
    if (!route_ || life_ == 0 || life_ == session_.life()) return std::nullopt;
    return Objection{Refusal::unavailable,
                     fmt::format("{} was started again, and its map begins anew: place the points again",
                                 session_.name())};
}

void Autopilot::on_telemetry() {
    end_with_life();
    if (state_ != State::driving || session_.stale()) return;
    const link::Telemetry& telemetry = *session_.telemetry();
    // While it waits it orders rest, which a stopped robot does not refuse.
    if (telemetry.stopped) return end(State::failed, why_stopped);
    take_map(*way_);
    way_->learn(telemetry);
    // An unknown level is NaN: not below anything.
    const data::Battery& battery = telemetry.battery;
    facts_.set("battery_low", !battery.on_charger && battery.level < settings_.battery_low);
    runner_->tick(clock_.now());
}

void Autopilot::drive() {
    if (state_ != State::driving) return;
    const WayFinder::Step step = way_->next(session_.telemetry()->pose, clock_.now());
    waits_ = step.waits;
    if (step.arrived) return reach_point();
    move(step.motion);
    if (!step.given_up.empty())
        end(State::failed, fmt::format("cannot reach {}: {}", point_text(next_), step.given_up));
}

void Autopilot::reach_point() {
    next_ += 1;
    if (next_ == route_->points.size()) {
        round_ += 1;
        if (route_->rounds != 0 && round_ >= route_->rounds) {
            move({});
            return end(State::arrived, "");
        }
        next_ = 0;
    }
    way_->set_goal(route_->points[next_], clock_.now());
}

void Autopilot::move(const motion::MotionCommand& motion) {
    const Instant now = clock_.now();
    if (motion_ == motion && now - sent_at_ < settings_.renew) return;
    motion_ = motion;
    sent_at_ = now;
    link::Command command = link::command_for(motion);
    if (!motion.is_halt()) command.arguments.push_back({"ttl", duration_text(settings_.life)});
    session_.send(std::move(command), {std::string(RobotSession::autopilot), link::Role::drive},
                  [self = self_](const link::Answer& answer) {
                      if (*self && answer.is_final()) (*self)->refused(answer);
                  });
}

void Autopilot::refused(const link::Answer& answer) {
    if (!answer.refusal) {
        refused_since_.reset();
        return;
    }
    if (state_ == State::driving && answer.refusal == link::Refusal::stopped)
        return end(State::failed, why_stopped);
    if (!refused_since_) refused_since_ = clock_.now();
    if (state_ == State::driving && clock_.now() - *refused_since_ >= settings_.refused_limit)
        end(State::failed,
            fmt::format("cannot reach {}: the robot reports {}", point_text(next_), to_string(answer)));
}

void Autopilot::dock() {
    move({});
    waits_ = "the battery is low; the robot goes to its dock";
    session_.send({.code = link::CommandCode::dock},
                  {std::string(RobotSession::autopilot), link::Role::drive},
                  [self = self_](const link::Answer& answer) {
                      if (!*self || !answer.is_final() || (*self)->state_ != State::driving) return;
                      (*self)->end(answer.refusal ? State::failed : State::paused,
                                   fmt::format("the battery is low; dock: {}", to_string(answer)));
                  });
}

std::string Autopilot::point_text(std::size_t index) const {
    const Vec2 point = route_->points[index];
    return fmt::format("point {} of {} at {:.2f},{:.2f}", index + 1, route_->points.size(), point.x, point.y);
}

std::optional<data::Route> Autopilot::shown() const {
    if (!route_) return std::nullopt;
    const auto objection = objection_to_age();
    return data::Route{.state = state_,
                       .why = why_.empty() ? waits_ : why_,
                       .name = route_->name,
                       .points = route_->points,
                       .next = next_,
                       .round = round_,
                       .rounds = route_->rounds,
                       .path = way_ ? way_->path() : std::vector<Vec2>{},
                       .obstacle = objection ? objection->text : ""};
}

}  // namespace caribou::station
