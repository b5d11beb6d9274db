#pragma once

#include <optional>

#include "driver/body_check.hpp"
#include "driver/line.hpp"
#include "driver/session.hpp"

namespace caribou::driver {

/// Measures, wheels up, whether a body stops when its driver is killed in motion, as a guard stops it: with
/// the stop frame, if the driver declares one. Turns the wheels through one driver, and looks at the encoders
/// through the next one, to which nothing is ordered. The caller connects the first driver, calls step()
/// about once per millisecond until wants_cut(), cuts the body, connects another driver, and goes on until
/// the check is over. A driver that stops the wheels when it starts hides a device that would turn on.
class KillCheck {
public:
    /// After the cut, and what the driver declares in stops_without_feed_ms: for the wheels to come to rest.
    static constexpr Duration braking_limit = std::chrono::milliseconds(500);
    /// How long the wheels have to be at rest then.
    static constexpr Duration rest_time = std::chrono::milliseconds(500);

    /// `hello` is that of the driver.
    explicit KillCheck(const Hello& hello);

    /// Returns whether the driver declares a way to stop the device without it. Without `has_device`, a stop
    /// frame is none.
    static bool applies_to(const Hello& hello, bool has_device);

    /// A driver was started: at the beginning, and after on_cut(). `line` is used until the next call.
    void connect(DriverLine& line, Instant now);
    /// Goes on. Returns whether the caller has to: the body is to be cut, or the check has ended.
    bool step(Instant now);
    bool wants_cut() const { return phase_ == Phase::cut; }
    /// The body was cut. `confirmed`: the driver has ended, and its stop frame, if any, is written.
    void on_cut(bool confirmed, Instant now);
    /// Orders rest. For a check that is given up.
    void halt(Instant now);
    /// What was found, once the check has ended.
    const std::optional<BodyCheck::Finding>& finding() const { return finding_; }

private:
    enum class Phase { turning, cut, resting, over };

    bool end(motion::CheckOutcome outcome, std::string text);
    bool turn(Instant now);
    bool rest(Instant now);
    Duration settle_time() const;

    Hello hello_;
    std::optional<DriverSession> session_;
    Phase phase_ = Phase::turning;
    std::optional<Instant> turning_since_;
    Instant ordered_{};
    Instant cut_at_{};
    std::optional<State> first_;  ///< of the phase, when it counts
    Instant first_at_{};
    std::optional<BodyCheck::Finding> finding_;
};

}  // namespace caribou::driver
