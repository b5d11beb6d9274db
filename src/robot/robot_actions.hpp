#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/random.hpp"
#include "behavior/action.hpp"
#include "robot/navigator.hpp"

/// The actions of a robot, which drive tick by tick.
namespace caribou::robot {

/// Uses the navigator in every tick until it has ended.
class RobotAction : public behavior::Action {
public:
    explicit RobotAction(std::shared_ptr<Navigator> navigator) : navigator_(std::move(navigator)) {}

    void start(Instant now) final {
        navigator_->look(now);
        started_ = now;
        begin(now);
    }
    std::optional<behavior::Outcome> poll(Instant now) final {
        navigator_->look(now);
        navigator_->note_action(name(), now);
        return go_on(now);
    }
    void cancel() final {}

protected:
    virtual void begin(Instant) {}
    virtual std::optional<behavior::Outcome> go_on(Instant now) = 0;
    Navigator& navigator() const { return *navigator_; }
    Duration age(Instant now) const { return now - started_; }
    /// Converts the navigator's progress to an outcome; nullopt while in progress.
    std::optional<behavior::Outcome> outcome(Navigator::Progress progress);

private:
    std::shared_ptr<Navigator> navigator_;
    Instant started_{};
};

class DriveAction final : public RobotAction {
public:
    DriveAction(std::shared_ptr<Navigator> navigator, motion::MovementCommand command, Duration time)
        : RobotAction(std::move(navigator)), command_(command), time_(time) {}
    std::string_view name() const override { return "drive"; }

protected:
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    motion::MovementCommand command_;
    Duration time_;
};

class TurnAction : public RobotAction {
public:
    TurnAction(std::shared_ptr<Navigator> navigator, double angle)
        : RobotAction(std::move(navigator)), angle_(angle) {}
    std::string_view name() const override { return "turn"; }

protected:
    void begin(Instant now) override;
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    double angle_;
    double left_ = 0;    ///< angle to turn
    double before_ = 0;  ///< previous heading
};

class LookAction final : public TurnAction {
public:
    explicit LookAction(std::shared_ptr<Navigator> navigator) : TurnAction(std::move(navigator), 6.3) {}
    std::string_view name() const override { return "look"; }
};

class GoToAction final : public RobotAction {
public:
    GoToAction(std::shared_ptr<Navigator> navigator, Vec2 goal)
        : RobotAction(std::move(navigator)), goal_(goal) {}
    std::string_view name() const override { return "go_to"; }

protected:
    void begin(Instant now) override { there_is_a_way_ = navigator().go_to(goal_, now); }
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    Vec2 goal_;
    bool there_is_a_way_ = false;
};

/// Explores one step: goes to the best place from which something new can be seen.
class ExploreAction final : public RobotAction {
public:
    using RobotAction::RobotAction;
    std::string_view name() const override { return "explore"; }

protected:
    void begin(Instant now) override { there_is_a_way_ = navigator().go_exploring(now); }
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    bool there_is_a_way_ = false;
};

class StrollAction final : public RobotAction {
public:
    using RobotAction::RobotAction;
    std::string_view name() const override { return "stroll"; }

protected:
    void begin(Instant now) override;
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    Random random_{1};
    bool there_is_a_way_ = false;
};

/// Moves back briefly, then turns to a random side. Afterwards the navigator is not hindered any more.
class BackOffAction final : public RobotAction {
public:
    using RobotAction::RobotAction;
    std::string_view name() const override { return "back_off"; }

protected:
    void begin(Instant now) override;
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    Random random_{2};
    double heading_ = 0;
};

/// Docks on the charger: comes from behind it, along its axis, and centers itself. If the dock is unknown it
/// searches first: in unexplored places, then anywhere, because the dock may have been moved.
class DockAction final : public RobotAction {
public:
    using RobotAction::RobotAction;
    std::string_view name() const override { return "dock"; }

protected:
    void begin(Instant now) override;
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    /// `line_up`: to a place behind the dock, and facing along it. `approach` and `face`: where the robot
    /// does not fit there, straight onto the dock, and facing along it.
    enum class Stage : std::uint8_t { search, travel, line_up, enter, approach, face };

    std::optional<behavior::Outcome> search(Instant now);
    std::optional<behavior::Outcome> arrive(Instant now);
    std::optional<behavior::Outcome> line_up(Instant now);
    std::optional<behavior::Outcome> enter(Instant now);
    std::optional<behavior::Outcome> approach_straight(Instant now);
    std::optional<behavior::Outcome> center(Instant now);
    Vec2 place_behind() const;
    /// Starts towards the dock. Returns false if there is no path.
    bool travel(Instant now);
    behavior::Outcome fail(std::string why);

    Stage stage_ = Stage::search;
    Instant stage_began_{};
    Instant faced_at_{};
    std::optional<Instant> contact_at_;  ///< of the contacts of the charger
    Random random_{3};
    bool has_way_ = false;
};

class UndockAction final : public RobotAction {
public:
    using RobotAction::RobotAction;
    std::string_view name() const override { return "undock"; }

protected:
    std::optional<behavior::Outcome> go_on(Instant now) override;
};

/// Goes straight to the nearest cube in sight where the robot fits, otherwise along a path.
class ApproachCubeAction final : public RobotAction {
public:
    using RobotAction::RobotAction;
    std::string_view name() const override { return "approach_cube"; }

protected:
    void begin(Instant now) override;
    std::optional<behavior::Outcome> go_on(Instant now) override;

private:
    void look_for_cubes(Instant now);
    std::optional<behavior::Outcome> go_around(Instant now);

    std::optional<Vec2> cube_;
    std::string name_;            ///< of the cube; empty: not known
    std::optional<Vec2> detour_;  ///< the cube's place when its path was planned; nullopt: it goes straight
    Instant seen_at_{};
};

class LightsAction final : public RobotAction {
public:
    LightsAction(std::shared_ptr<Navigator> navigator, std::string_view lights);
    std::string_view name() const override { return "lights"; }

protected:
    void begin(Instant) override { navigator().ai().set_lights(lights_); }
    std::optional<behavior::Outcome> go_on(Instant) override { return behavior::Outcome::succeeded(); }

private:
    motion::BodyLights lights_ = motion::BodyLights::off;
};

}  // namespace caribou::robot
