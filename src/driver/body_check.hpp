#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/line.hpp"
#include "driver/session.hpp"
#include "motion/check_outcome.hpp"

namespace caribou::driver {

/// Tries a driver on the desk, wheels up: greets it, measures how often it reports and how fast it carries
/// out orders, whether it takes all frames of a robot, turns both wheels and then the left one slowly for a
/// second, and stops them in each way that the driver declares. The caller calls step() about once per
/// millisecond until it returns true.
class BodyCheck {
public:
    struct Finding {
        std::string what;
        motion::CheckOutcome outcome = motion::CheckOutcome::failed;
        std::string text;  ///< what was measured, and what was expected
    };

    static constexpr double speed = 0.1;  ///< m/s, of the wheels while they turn
    static constexpr Duration turning_time = std::chrono::seconds(1);
    static constexpr Duration order_pause = std::chrono::milliseconds(20);  ///< between renewed orders

    /// `line` outlives it. `has_device`: the guard has a device to which it can write a stop frame.
    BodyCheck(DriverLine& line, bool has_device, Instant now)
        : line_(line), has_device_(has_device), session_(line, now), begun_(now) {}

    /// Goes on. Returns whether the check has ended.
    bool step(Instant now);
    bool is_over() const { return phase_ == Phase::over; }
    /// Orders rest, if the driver has greeted. For a check that is given up.
    void halt(Instant now);
    /// The greeting of the driver, once it has come.
    const std::optional<Hello>& hello() const { return session_.hello(); }
    const std::vector<Finding>& findings() const { return findings_; }
    /// Returns whether the check has ended and nothing failed.
    bool good() const;
    /// The finding about the wheel on the left. A person can see what a body without a gyroscope, or on a
    /// stand, does not measure.
    static constexpr std::string_view left_wheel = "left wheel";
    /// The last finding of a check that was not given up before.
    static constexpr std::string_view stop_by_closing = "stop by closing";

private:
    enum class Phase { greeting, rate, latency, contract, turning, left_turning, own_stop, closing, over };

    void begin(Phase phase, Instant now);
    void next(Phase phase, Instant now, Finding finding);
    void watch_greeting(Instant now);
    void watch_rate(Instant now);
    void watch_latency(Instant now);
    void begin_contract(Instant now);
    void watch_contract(Instant now);
    void watch_turning(Instant now);
    void watch_left_turning(Instant now);
    void watch_own_stop(Instant now);
    void watch_closing(Instant now);
    void order_if_due(Instant now, motion::WheelSpeeds speeds);
    Finding left_finding(Instant now) const;
    void after_turning(Instant now);
    motion::WheelSpeeds rolled() const;
    Duration period() const { return std::chrono::milliseconds(session_.hello()->period_ms); }
    Duration in_phase(Instant now) const { return now - begun_; }
    std::string silent_sensors() const;
    bool has_lost_sensor() const;

    DriverLine& line_;
    bool has_device_;
    DriverSession session_;
    Phase phase_ = Phase::greeting;
    Instant begun_;
    Instant ordered_{};
    std::vector<Finding> findings_;
    std::size_t states_ = 0;  ///< at the beginning of the phase, or at the last look
    std::size_t states_before_ = 0;
    Instant state_at_{};
    Duration longest_gap_{};
    std::vector<Duration> latencies_;
    std::string silent_before_;     ///< sensors without a reading when the phase `contract` began
    std::optional<State> first_;    ///< of the phase
    std::optional<State> last_;     ///< of the last look
    std::optional<Instant> moved_;  ///< when the encoders changed last
    double turned_ = 0.0;           ///< rad to the left, by the gyroscope, in the phase
    Instant looked_{};              ///< the last look at the gyroscope
};

/// Returns whether the encoders have counted between the two states.
bool have_moved(const State& from, const State& to);

}  // namespace caribou::driver
