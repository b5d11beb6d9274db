#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "adapters/body/gpio_lines.hpp"
#include "base/log.hpp"
#include "platform/named_thread.hpp"
#include "robot/push_button.hpp"
#include "robot/wiring.hpp"

namespace caribou::app {

/// The push buttons of a robot on GPIO lines, read on a thread of their own, named `buttons`.
class RobotButtons {
public:
    struct Actions {
        /// The release button was pressed at that time.
        std::function<void(Instant at)> release;
        std::function<void()> power_off;
    };
    /// Returns null if the wiring has no buttons. The log must outlive the object; the actions are called on
    /// its thread.
    static Result<std::unique_ptr<RobotButtons>> open(const robot::Wiring& wiring, Actions actions, Log& log);

    Result<void> start();
    void stop() { thread_.stop(); }

private:
    struct Button {
        unsigned line;
        robot::PushButton state;
        std::function<void(Instant at)> act;
    };

    RobotButtons(std::unique_ptr<GpioLines> lines, std::vector<Button> buttons, Log& log);
    void sample();

    std::unique_ptr<GpioLines> lines_;
    std::vector<Button> buttons_;
    NamedThread thread_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::app
