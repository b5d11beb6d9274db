// A robot with an action of its own.
#include <caribou/behavior/action.hpp>
#include <caribou/kit/robot/robot_main.hpp>

namespace {

class Hum final : public caribou::behavior::Action {
public:
    std::string_view name() const override { return "hum"; }
    void start(caribou::Instant) override {}
    std::optional<caribou::behavior::Outcome> poll(caribou::Instant) override {
        return caribou::behavior::Outcome::succeeded();
    }
    void cancel() override {}
};

}  // namespace

int main(int argc, char** argv) {
    return caribou::run_robot(argc, argv, [](auto& classes, const auto&) {
        classes.add(caribou::behavior::ActionClass{
            .name = "hum", .make = [](const auto&) { return std::make_unique<Hum>(); }});
    });
}
