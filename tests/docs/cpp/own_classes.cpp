#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <caribou/behavior/action.hpp>
#include <caribou/kit/robot/robot_main.hpp>
#include <caribou/kit/testkit/robot_in_a_box.hpp>

using namespace caribou;
using namespace std::chrono_literals;

class Hum final : public behavior::Action {
public:
    explicit Hum(robot::RobotMeans) {}
    std::string_view name() const override { return "hum"; }
    void start(Instant) override {}
    std::optional<behavior::Outcome> poll(Instant) override { return behavior::Outcome::succeeded(); }
    void cancel() override {}
};

#include <behaviors.2.inc>

TEST(Tree, SingsOnce) {
#include <behaviors.3.inc>
}
