#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motion/check_outcome.hpp"
#include "motion/guard_message.hpp"
#include "motion/motion.hpp"
#include "motion/motion_settings.hpp"
#include "motion/stop_latch.hpp"

namespace caribou::motion {

struct CheckItem {
    std::string name;
    CheckOutcome outcome = CheckOutcome::failed;
    std::string text;  ///< the measured time and its limit; what to do; or why it is not verified

    friend bool operator==(const CheckItem&, const CheckItem&) = default;
};

/// What a self-check acts on. All of it outlives the check, and runs on its loop or is thread-safe.
struct SelfCheckParts {
    MotionControl& motion;
    /// Stores the latch as a robot does, see StopLatch.
    std::function<void(bool stopped, StopLatch::Told told)> latch;
    std::function<Result<LatchRecord>()> stored;  ///< reads the latch from the disk
    std::function<void(bool on)> feed;            ///< lets the guard be fed, or not
};

struct SelfCheckSettings {
    MotionSettings motion{};
    std::optional<StopCause> stop_before{};  ///< the stored latch, which stays as it is if this is set
    std::optional<Duration> guard_limit{};   ///< from the last feed to the cut; nullopt: there is no guard
};

/// Exercises what stops a body, with its wheels off the floor. Turns the wheels slowly, in opposite
/// directions, because no obstacle prevents that. The items, in this order:
///
/// | item              | what is measured                                                             |
/// |-------------------|------------------------------------------------------------------------------|
/// | stop              | from a full stop until zero is ordered at the body                           |
/// | wheels            | from then until the encoders are at rest; unverified only if none ever counted|
/// | latch             | until the stop is read back from the disk; an order is refused; the release  |
/// | dead man's switch | from an order that is not renewed until zero is ordered                      |
/// | guard             | from the last feed until the guard has stopped the body, as the guard reports|
///
/// The first item that fails ends the check, and the others are reported as unverified. The stored latch is
/// never released if it was not released before. The caller calls step() about every 10 ms.
class SelfCheck {
public:
    static constexpr std::string_view names[] = {"stop", "wheels", "latch", "dead man's switch", "guard"};
    /// Allowance for the scheduling of threads, beyond the time that braking takes.
    static constexpr Duration lateness = std::chrono::milliseconds(100);
    static constexpr Duration rest_limit = std::chrono::milliseconds(500);  ///< of the item `wheels`

    SelfCheck(SelfCheckParts parts, const SelfCheckSettings& settings, Instant now);

    void on_report(const MotionReport& report);
    void on_answer(const MotionAnswer& answer) { refusal_ = answer.refusal; }
    void on_guard_cut(const GuardCut& cut) { cut_ = cut; }
    void on_guard_restored() { restored_ = true; }

    /// Goes on. Returns whether the check has ended.
    bool step(Instant now);
    const std::vector<CheckItem>& items() const { return items_; }
    /// Returns whether the check has ended and nothing failed.
    bool good() const;
    /// Returns whether the latch can be restored to released: false once another stop than that of the check
    /// has occurred, which is that of the emergency input.
    bool may_release() const { return !foreign_stop_; }

private:
    enum class Phase {
        starting,
        driving,
        stopping,
        resting,
        storing,
        holding,
        releasing,
        dead_man,
        starving,
        restoring,
        over
    };

    void begin(Phase phase, Instant now);
    void drive_towards(Phase next, Instant now);
    void pass(std::string text);
    void add(CheckOutcome outcome, std::string text);
    void fail_item(const std::string& text);
    bool has_trouble();
    void watch_starting(Instant now);
    void watch_driving(Instant now);
    void watch_stopping(Instant now);
    void watch_resting(Instant now);
    void watch_storing(Instant now);
    void watch_holding(Instant now);
    void watch_releasing(Instant now);
    void watch_dead_man(Instant now);
    void watch_starving(Instant now);
    void watch_restoring(Instant now);
    void stop_fully(Instant now);
    void release(Instant now);
    void after_latch(Instant now);
    void order(Instant now);
    void renew(Instant now);
    Duration in_phase(Instant now) const { return now - begun_; }
    bool wheels_turn() const;
    std::string why_not_moving() const;

    SelfCheckParts parts_;
    SelfCheckSettings settings_;
    std::vector<CheckItem> items_;
    Phase phase_ = Phase::starting;
    Phase after_driving_ = Phase::stopping;
    Instant begun_;
    Instant ordered_{};                       ///< the last order
    Instant asked_{};                         ///< when the stop that is measured was requested
    std::optional<MotionReport> report_{};    ///< the latest
    std::optional<Instant> zero_at_{};        ///< the first report of rest after asked_
    bool moved_ = false;                      ///< in this phase
    bool was_absent_ = false;                 ///< the body, in this phase
    bool has_encoders_ = false;               ///< they were read at least once
    std::optional<MotionRefusal> refusal_{};  ///< of the last order
    std::optional<StopLatch::Outcome> stored_{};
    std::optional<Instant> stored_at_{};  ///< when the outcome of storing the stop was seen first
    std::optional<GuardCut> cut_{};
    bool restored_ = false;
    bool foreign_stop_ = false;
};

}  // namespace caribou::motion
