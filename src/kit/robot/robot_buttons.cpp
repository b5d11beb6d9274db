#include "kit/robot/robot_buttons.hpp"

#include <utility>
#include <vector>

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

constexpr Duration sample_period = 10ms;
/// A touch must not switch the robot off.
constexpr robot::PushButton::Options power_off_options{.hold = 2s, .acts_while_held = true};

}  // namespace

RobotButtons::RobotButtons(std::unique_ptr<GpioLines> lines, std::vector<Button> buttons, Log& log)
    : lines_(std::move(lines)),
      buttons_(std::move(buttons)),
      thread_({.name = "buttons"}, log),
      timer_(thread_.loop().make_timer([this] { sample(); })) {}

Result<std::unique_ptr<RobotButtons>> RobotButtons::open(const robot::Wiring& wiring, Actions actions,
                                                         Log& log) {
    std::vector<Button> buttons;
    std::vector<unsigned> inputs;
    if (wiring.release_button) {
        inputs.push_back(*wiring.release_button);
        buttons.push_back({*wiring.release_button, robot::PushButton({}), std::move(actions.release)});
    }
    if (wiring.power_off_button) {
        inputs.push_back(*wiring.power_off_button);
        buttons.push_back({*wiring.power_off_button, robot::PushButton(power_off_options),
                           [act = std::move(actions.power_off)](Instant) { act(); }});
    }
    if (buttons.empty()) return nullptr;
    auto lines = open_gpio(wiring.gpio_chip, {}, inputs);
    if (!lines) return fail(std::move(lines.error()));
    return std::unique_ptr<RobotButtons>(new RobotButtons(std::move(*lines), std::move(buttons), log));
}

Result<void> RobotButtons::start() {
    timer_->arm(thread_.loop().clock().now());
    return thread_.start();
}

void RobotButtons::sample() {
    for (Button& button : buttons_) {
        const auto level = lines_->get(button.line);
        // Connected to ground when it is pressed.
        const auto is_down = level ? std::optional(!*level) : std::nullopt;
        if (const auto pressed = button.state.sample(is_down, thread_.loop().clock().now()))
            button.act(*pressed);
    }
    timer_->arm(thread_.loop().clock().now() + sample_period);
}

}  // namespace caribou::app
