// t18: a robot program with behaviors of your own: `t18_own_robot --config robot.toml`. It has all options of
// `caribou robot`; trees can also name what add_classes() registers. Without arguments it tests itself on a
// simulated robot, in virtual time.
//
// The robot patrols between places, and winks at its cube after each round; with a low battery it rests.

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kit/robot/robot_main.hpp"
#include "kit/testkit/robot_in_a_box.hpp"
#include "robot/cube_lights_action.hpp"
#include "robot/robot_actions.hpp"

using namespace caribou;
using namespace std::chrono_literals;

namespace {

/// Goes to one place after the other, and counts its rounds in the fact `rounds`.
class Patrol final : public behavior::Behavior {
public:
    Patrol(std::string id, std::vector<Vec2> places, robot::RobotMeans robot)
        : Behavior(std::move(id)), places_(std::move(places)), robot_(std::move(robot)) {}

protected:
    behavior::Wants wants_to_be_activated(const behavior::View& view) const override {
        const behavior::Value* const battery = view.facts().find("battery");
        if (battery && std::get<double>(*battery) < 20) return behavior::Wants::no("the battery is low");
        return behavior::Wants::yes();
    }
    void on_activated(behavior::Control& control) override {
        next_ = 0;
        go_on(control);
    }

private:
    void go_on(behavior::Control& control) {
        if (next_ == places_.size()) {
            robot_.changes.add("rounds", 1);
            robot_.publish("PATROL_ROUNDS", "one more");
            std::ignore = control.finish(behavior::Outcome::succeeded());
            return;
        }
        std::ignore =
            control.delegate(std::make_unique<robot::GoToAction>(robot_.navigator, places_[next_++]),
                             [this](behavior::Control& again, const behavior::Outcome& outcome) {
                                 if (outcome.has_succeeded()) return go_on(again);
                                 std::ignore = again.finish(outcome);
                             });
    }

    std::vector<Vec2> places_;
    robot::RobotMeans robot_;
    std::size_t next_ = 0;
};

void add_classes(behavior::ClassRegistry& classes, const robot::RobotMeans& robot) {
    classes.add(behavior::FactDeclaration{.name = "rounds",
                                          .about = "finished rounds of the patrol",
                                          .type = behavior::FactDeclaration::Type::number,
                                          .fallback = 0.0});
    classes.add(behavior::BehaviorClass{
        .name = "patrol",
        .about = "goes to two places",
        .parameters = {{.name = "side",
                        .kind = behavior::Parameter::Kind::number,
                        .about = "of the triangle, in meters",
                        .required = true,
                        .min = 0.1,
                        .max = 10}},
        .make = [robot](std::string id, const behavior::Arguments& arguments) {
            const double side = arguments.number("side");
            return std::make_unique<Patrol>(std::move(id), std::vector<Vec2>{{side, 0}, {0, side}, {0, 0}},
                                            robot);
        }});
    classes.add(behavior::ActionClass{.name = "wink",
                                      .about = "lights the cube, which must be connected, for 2 s",
                                      .make = [robot](const behavior::Arguments&) {
                                          return std::make_unique<robot::CubeLightsAction>(
                                              robot.cubes,
                                              robot::CubeLightsAction::Options{
                                                  .color = {255, 255, 0}, .time = 2s, .blink = 250ms});
                                      }});
}

const char* const tree = R"({"base": "robot", "behaviors": [
    {"class": "strict_priority", "id": "robot", "children": ["work", "rest"]},
    {"class": "sequence", "id": "work", "children": ["patrol", "greet"]},
    {"class": "patrol", "id": "patrol", "side": 1},
    {"class": "connect_to_cube", "id": "greet", "children": [
        {"class": "act", "id": "wink", "action": "wink"}]},
    {"class": "idle", "id": "rest"}
]})";

/// Returns 0 if the robot patrols and winks, and rests when its battery is low.
int test() {
    auto box = RobotInABox::make(tree, {.own = add_classes});
    if (!box) return std::fprintf(stderr, "%s\n", box.error().message.c_str()), 1;
    const bool has_winked = box->advance_until([&] { return box->times_succeeded("wink") == 2; }, 5min);
    std::printf("after %.0f s: %zu rounds, %zu winks\n", to_seconds(box->time()),
                box->times_succeeded("patrol"), box->times_succeeded("wink"));
    box->set_battery(10);
    const bool rests = box->advance_until([&] { return box->is_active("rest"); }, 2min);
    std::printf("%s\n", box->ask("why patrol").c_str());
    return has_winked && rests && box->fact("rounds") >= behavior::Value(2.0) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return argc > 1 ? run_robot(argc, argv, add_classes) : test(); }
