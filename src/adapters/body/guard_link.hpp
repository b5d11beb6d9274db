#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "loop/clock.hpp"
#include "motion/motion_guard.hpp"
#include "platform/descriptor.hpp"

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
        /// The guard cannot let the body be moved. It tries again.
        std::function<void(const std::string& reason)> on_not_restored{};
        /// The body stays stopped until the robot is started again.
        std::function<void(const std::string& reason)> on_given_up{};
    };

    /// Returns null if this process has no guard. Takes the descriptor over and hides it from children.
    /// Code:: invalid_argument: the variable does not name a descriptor of a guard's channel.
    static Result<std::unique_ptr<GuardLink>> from_environment(const Clock& clock);
    ~GuardLink() override;
    GuardLink(const GuardLink&) = delete;
    GuardLink& operator=(const GuardLink&) = delete;

    /// Reports the start of this process, with the digest of the configuration of its body: the guard starts
    /// the driver of that configuration. The events are called by exchange() and wait(), on their thread.
    /// `device` is what the driver drives, if it has a stop frame.
    void start(Events events, const std::string& body, std::string device);
    /// Waits at most `limit` for what the guard sends, and takes it. For the time before propulsion runs.
    void wait(Duration limit);
    /// Returns why the guard cannot let the body be moved, as it reported last; empty if it can.
    const std::string& not_restored() const { return not_restored_; }
    /// Reports what the driver has declared, now and whenever a driver answers again.
    void declare(const motion::DriverFacts& facts);

    motion::GuardState exchange(const motion::GuardFeed& feed) override;
    void bye(bool at_rest) override;
    /// Sends a signal to the guard's process. Returns false if that has ended, or cannot be signaled. Any
    /// thread may call.
    bool signal_guard(int number) const;
    /// Lets the image that replaces this one find the channel. Nothing else is called afterwards. Without a
    /// bye() before, rest is not confirmed.
    void pass_to_fresh_image();

private:
    struct Channel;
    GuardLink(std::unique_ptr<Channel> channel, const Clock& clock);

    void send(const motion::RobotToGuard& message);
    /// A driver ends with its guard, and its device may keep the last order: this process stops the device.
    void stop_device();
    /// For a driver that does not answer while the guard does not either.
    void kill_driver();
    void take_all();

    std::unique_ptr<Channel> channel_;
    const Clock& clock_;
    Descriptor guard_;  ///< a pidfd of the guard's process, which made the channel
    Events events_;
    Bytes room_;
    std::optional<Instant> unanswered_{};  ///< the time of the first feed that has no answer yet
    std::optional<motion::DriverFacts> facts_{};
    std::string not_restored_;
    Descriptor driver_;  ///< a pidfd of the driver's process, if there is one
    bool driver_was_lost_ = false;
    bool is_cut_ = false;
    bool is_gone_ = false;
    std::string device_;
    int stops_left_ = 10;  ///< attempts to stop the device after the guard has gone, one per feed
    bool said_bye_ = false;
};

}  // namespace caribou
