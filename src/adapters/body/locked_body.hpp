#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "loop/clock.hpp"
#include "motion/body.hpp"
#include "platform/priority_mutex.hpp"

namespace caribou {

/// Serializes the calls of several threads on one body. A call that hangs neither delays cut_motors, which
/// bypasses the lock, nor blocks other threads for longer than call_limit: their calls then fail, read
/// nothing, or, if they concern the motors, cut them.
class LockedBody final : public motion::Body {
public:
    /// How long a call waits for another one. While that one hangs, later calls do not wait at all.
    static constexpr Duration call_limit = std::chrono::milliseconds(250);

    /// For a body without real motors, whose cut_motors is not thread-safe. A cut is then recorded with its
    /// time, and `apply` is called with that time before the body is used again.
    struct Deferred {
        const Clock& clock;
        std::function<void(Instant)> apply;
    };

    /// `body` cuts its motors safely from any thread, as motion::Body promises.
    explicit LockedBody(motion::Body& body) : body_(body), emergency_(body.plan().sensors.size()) {}
    LockedBody(motion::Body& body, Deferred cut)
        : body_(body), deferred_(std::move(cut)), emergency_(body.plan().sensors.size()) {}

    const motion::BodyPlan& plan() const override { return body_.plan(); }
    /// An emergency stop keeps its reading while another call hangs: the motors are cut then, and a stop that
    /// only a person can release would have the wrong cause.
    motion::SensorReading read(std::size_t sensor) override;
    Result<void> enable_motors(bool enabled) override {
        auto done = alone([&] { return body_.enable_motors(enabled); });
        return done ? std::move(*done) : cut_instead();
    }
    bool motors_enabled() override {
        return alone([&] { return body_.motors_enabled(); }).value_or(false);
    }
    void drive(motion::WheelSpeeds speeds) override;
    Result<void> cut_motors() override;
    std::string motor_fault() override {
        return alone([&] { return body_.motor_fault(); }).value_or(std::string(hangs));
    }
    std::string absence() override {
        return alone([&] { return body_.absence(); }).value_or(std::string());
    }
    bool confirms_rest() override {
        return alone([&] { return body_.confirms_rest(); }).value_or(false);
    }
    Result<void> set_power(std::size_t sensor, bool on) override {
        return alone([&] { return body_.set_power(sensor, on); }).value_or(unavailable());
    }
    void set_lights(motion::BodyLights lights) override {
        alone([&] { return body_.set_lights(lights), true; });
    }
    std::vector<motion::PartCheck> self_check() override;
    std::vector<motion::BodyFault> faults() override {
        return alone([&] { return body_.faults(); }).value_or(std::vector<motion::BodyFault>());
    }
    Result<void> set_fault(std::string_view name, bool broken) override {
        return alone([&] { return body_.set_fault(name, broken); }).value_or(unavailable());
    }

    /// Calls `call` while no other thread uses the body or the world behind it. Returns nullopt, without
    /// calling, if another call hangs.
    template <class Call>
    auto alone(Call call) -> std::optional<decltype(call())> {
        // Runs after the lock is released, because a concurrent cut did not wait for it.
        struct AtTheEnd {
            LockedBody& body;
            ~AtTheEnd() { body.settle(); }
        } const at_the_end{*this};
        const std::unique_lock lock(mutex_, hangs_ ? Duration::zero() : call_limit);
        hangs_ = !lock.owns_lock();
        if (hangs_) return std::nullopt;
        apply_cut();
        return call();
    }
    /// Applies a deferred cut, if there is one. Called inside alone(), before simulated time advances.
    void apply_cut();

private:
    static constexpr Duration::rep no_cut = -1;
    static constexpr std::string_view hangs = "a call of the body hangs";

    static Result<void> unavailable() { return fail(Code::unavailable, std::string(hangs)); }
    Result<void> cut_instead();
    void settle();

    motion::Body& body_;
    std::optional<Deferred> deferred_;
    /// A thread with less priority than propulsion may hold it.
    PriorityMutex mutex_;
    enum class Switch : std::uint8_t { unknown, off, on };
    std::vector<std::atomic<Switch>> emergency_;  ///< last readings of emergency stops, by sensor
    std::atomic<bool> hangs_ = false;             ///< a call has waited for call_limit in vain
    std::atomic<Duration::rep> cut_at_ = no_cut;
};

}  // namespace caribou
