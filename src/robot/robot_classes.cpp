#include "robot/robot_classes.hpp"

#include <functional>
#include <numbers>
#include <string>
#include <utility>

#include "robot/robot_actions.hpp"

namespace caribou::robot {
namespace {

using behavior::ActionClass;
using behavior::Arguments;
using behavior::ConditionClass;
using behavior::Parameter;
using Shared = std::shared_ptr<Navigator>;

/// A condition on the state of the navigator.
class NavigatorCondition final : public behavior::Condition {
public:
    using Question = bool (*)(Navigator&, Instant);
    NavigatorCondition(std::string name, Shared navigator, Question question)
        : name_(std::move(name)), navigator_(std::move(navigator)), question_(question) {}

    std::string describe() const override { return name_; }

protected:
    bool on_evaluate(const behavior::Moment& moment) override {
        navigator_->look(moment.now);
        return question_(*navigator_, moment.now);
    }

private:
    std::string name_;
    Shared navigator_;
    Question question_;
};

ConditionClass condition(std::string name, std::string about, const Shared& navigator,
                         NavigatorCondition::Question question) {
    return {.name = name, .about = std::move(about), .make = [=](const Arguments&) {
                return std::make_unique<NavigatorCondition>(name, navigator, question);
            }};
}

template <class Made>
ActionClass plain_action(std::string name, std::string about, const Shared& navigator) {
    return {.name = std::move(name), .about = std::move(about), .make = [navigator](const Arguments&) {
                return std::make_unique<Made>(navigator);
            }};
}

void register_conditions(behavior::ClassRegistry& classes, const Shared& shared) {
    classes.add(condition("has_explored", "everything that can be reached has been looked at", shared,
                          [](Navigator& navigator, Instant now) { return navigator.explored(now); }));
    classes.add(condition("is_hindered", "it wanted to go somewhere and did not get on", shared,
                          [](Navigator& navigator, Instant) { return navigator.hindered(); }));
    classes.add(condition("is_lifted", "it is held, or has tipped over", shared,
                          [](Navigator& navigator, Instant) { return navigator.lifted(); }));
    classes.add(condition("is_docked", "it is on its charger, and `dock` does not center it any more", shared,
                          [](Navigator& navigator, Instant now) { return navigator.is_docked(now); }));
    classes.add(condition("sees_cube", "it sees a cube", shared,
                          [](Navigator& navigator, Instant) { return !navigator.sights().cubes.empty(); }));
    classes.add(condition("knows_dock", "it has seen its dock", shared,
                          [](Navigator& navigator, Instant) { return navigator.dock().has_value(); }));
}

void register_plain_movements(behavior::ClassRegistry& classes, const Shared& shared) {
    classes.add(ActionClass{
        .name = "drive",
        .about = "moves by a command",
        .parameters =
            {{.name = "drive", .kind = Parameter::Kind::text, .about = "such as MOVE_FW_2", .required = true},
             {.name = "for", .kind = Parameter::Kind::duration, .about = "how long", .required = true}},
        .contradictions = [](const behavior::ParameterValues& values) -> std::vector<std::string> {
            const auto* text = behavior::given<std::string>(values, "drive");
            if (!text) return {};
            const auto command = motion::MovementCommand::parse(*text);
            if (command) return {};
            return {command.error().message};
        },
        .make =
            [shared](const Arguments& arguments) {
                return std::make_unique<DriveAction>(shared,
                                                     motion::MovementCommand::parse(arguments.text("drive"))
                                                         .value_or(motion::MovementCommand()),
                                                     arguments.duration("for"));
            }});
    classes.add(ActionClass{.name = "turn",
                            .about = "turns on the spot",
                            .parameters = {{.name = "turn",
                                            .kind = Parameter::Kind::number,
                                            .about = "degrees to the left",
                                            .required = true,
                                            .min = -360,
                                            .max = 360}},
                            .make = [shared](const Arguments& arguments) {
                                return std::make_unique<TurnAction>(
                                    shared, arguments.number("turn") * std::numbers::pi / 180);
                            }});
    classes.add(ActionClass{
        .name = "go_to",
        .about = "goes to a place of the map",
        .parameters =
            {{.name = "go_to", .kind = Parameter::Kind::number, .about = "x in metres", .required = true},
             {.name = "y", .kind = Parameter::Kind::number, .about = "y in metres", .required = true}},
        .make = [shared](const Arguments& arguments) {
            return std::make_unique<GoToAction>(shared,
                                                Vec2{arguments.number("go_to"), arguments.number("y")});
        }});
    classes.add(ActionClass{
        .name = "visit",
        .about = "goes to a place that has a name, and turns as it is turned",
        .parameters = {{.name = "visit",
                        .kind = Parameter::Kind::text,
                        .about = "name of the place, such as `kitchen`",
                        .required = true}},
        .contradictions = [](const behavior::ParameterValues& values) -> std::vector<std::string> {
            const auto* place = behavior::given<std::string>(values, "visit");
            if (place && *place == map::dock_name)
                return {"expected another place; the action `dock` goes there"};
            const auto good = place ? map::check_place_name(*place) : Result<void>();
            return good ? std::vector<std::string>() : std::vector{good.error().message};
        },
        .make =
            [shared](const Arguments& arguments) {
                return std::make_unique<VisitAction>(shared, arguments.text("visit"));
            }});
    classes.add(ActionClass{
        .name = "go",
        .about = "goes to the place that the command `go` names",
        .make = [shared](const Arguments&) { return std::make_unique<VisitAction>(shared, ""); }});
    classes.add(ActionClass{.name = "lights",
                            .about = "sets the lights of the body",
                            .parameters = {{.name = "lights",
                                            .kind = Parameter::Kind::word,
                                            .about = "what they show",
                                            .required = true,
                                            .words = {"off", "asleep", "awake", "driven", "alarm"}}},
                            .make = [shared](const Arguments& arguments) {
                                return std::make_unique<LightsAction>(shared, arguments.text("lights"));
                            }});
}

}  // namespace

std::shared_ptr<Navigator> register_robot_classes(behavior::ClassRegistry& classes, AiControl& ai,
                                                  const NavigatorSettings& settings) {
    auto shared = std::make_shared<Navigator>(ai, settings);
    register_conditions(classes, shared);
    register_plain_movements(classes, shared);
    classes.add(plain_action<LookAction>("look", "turns once around, looking", shared));
    classes.add(plain_action<ExploreAction>("explore", "goes to unexplored space", shared));
    classes.add(plain_action<StrollAction>("stroll", "goes to some place that it can reach", shared));
    classes.add(plain_action<BackOffAction>("back_off", "leaves what hinders it, and turns away", shared));
    ActionClass dock = plain_action<DockAction>("dock", "goes onto its charger", shared);
    dock.next_needs_flag = "allowed_charging";
    classes.add(std::move(dock));
    ActionClass undock = plain_action<UndockAction>("undock", "leaves its charger", shared);
    undock.needs_flag = "allowed_charging";
    classes.add(std::move(undock));
    classes.add(
        plain_action<ApproachCubeAction>("approach_cube", "goes to the nearest cube that it sees", shared));
    return shared;
}

}  // namespace caribou::robot
