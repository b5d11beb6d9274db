#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "loop/clock.hpp"
#include "motion/motion_guard.hpp"

namespace caribou {

/// The environment variable with the descriptor of the robot's end of the guard's channel.
inline constexpr const char* guard_variable = "CARIBOU_GUARD_FD";

/// The robot's end of the channel to its guard.
class GuardLink final : public motion::MotionGuard {
public:
    /// Silence after a feed that counts as the absence of the guard.
    static constexpr Duration silence_limit = std::chrono::milliseconds(200);

    struct Events {
        /// A connection to a newly started driver. The descriptor belongs to the callee.
        std::function<void(int descriptor)> on_driver{};
        /// The guard has stopped the body.
        std::function<void(const motion::GuardCut& cut)> on_cut{};
        /// The body can be moved again.
        std::function<void()> on_restored{};
        /// The body stays stopped until the robot is started again.
        std::function<void(const std::string& reason)> on_given_up{};
    };

    /// Returns null if this process has no guard. Takes the descriptor over and hides it from children.
    /// Code:: invalid_argument: the variable does not name a descriptor of a guard's channel.
    static Result<std::unique_ptr<GuardLink>> from_environment(const Clock& clock);
    ~GuardLink() override;
    GuardLink(const GuardLink&) = delete;
    GuardLink& operator=(const GuardLink&) = delete;

    /// Reports the start of this process. The events are called by exchange() and wait(), on their thread.
    void start(Events events);
    /// Waits at most `limit` for what the guard sends, and takes it. For the time before propulsion runs.
    void wait(Duration limit);
    /// Reports what the driver has declared, now and whenever a driver answers again.
    void declare(const motion::DriverFacts& facts);

    motion::GuardState exchange(const motion::GuardFeed& feed) override;
    void bye() override;
    /// Lets the image that replaces this one find the channel. Nothing else is called afterwards.
    void pass_to_fresh_image();

private:
    struct Channel;
    GuardLink(std::unique_ptr<Channel> channel, const Clock& clock);

    void send(const motion::RobotToGuard& message);
    void take_all();

    std::unique_ptr<Channel> channel_;
    const Clock& clock_;
    Events events_;
    Bytes room_;
    std::optional<Instant> unanswered_{};  ///< the time of the first feed that has no answer yet
    std::optional<motion::DriverFacts> facts_{};
    bool driver_was_lost_ = false;
    bool is_cut_ = false;
    bool is_gone_ = false;
    bool said_bye_ = false;
};

}  // namespace caribou
