#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "driver/line.hpp"
#include "driver/session.hpp"

namespace caribou::driver {

/// The settings of `[motion]` for one wheel: `wheel_gain` and `wheel_start`.
struct WheelFit {
    double gain = 1.0;
    double start = 0.0;  ///< m/s
    double worst = 0.0;  ///< m/s; by which an order would be wrong at most

    friend bool operator==(const WheelFit&, const WheelFit&) = default;
};

/// What was ordered of a wheel, and how fast it then turned: both in m/s, without sign.
struct WheelSample {
    double ordered = 0.0;
    double measured = 0.0;
};

/// Returns the straight line through the samples of wheels that turned: ordered = start + gain * measured.
/// Fails with Code::invalid_argument if they turned at fewer than three orders, or if the line is none that
/// `[motion]` accepts.
Result<WheelFit> fit_wheel(const std::vector<WheelSample>& samples);

/// Measures how fast the wheels of a driver turn per order, wheels up: both ahead and back, at several
/// speeds, for about 15 s in all. The caller calls step() about once per millisecond until it returns true.
class WheelCalibration {
public:
    static constexpr std::array<double, 4> speeds{0.06, 0.1, 0.15, 0.2};  ///< m/s
    static constexpr Duration settling = std::chrono::milliseconds(700);
    static constexpr Duration measuring = std::chrono::seconds(1);

    /// `line` outlives it.
    WheelCalibration(DriverLine& line, Instant now) : session_(line, now), begun_(now) {}

    /// Goes on. Returns whether it has ended; the wheels were ordered to rest then.
    bool step(Instant now);
    /// Orders rest. For a calibration that is given up.
    void halt(Instant now);
    const std::optional<Hello>& hello() const { return session_.hello(); }
    /// Returns what is wrong with the driver; empty if nothing is.
    const std::string& fault() const { return fault_; }
    const std::vector<WheelSample>& right() const { return right_; }
    const std::vector<WheelSample>& left() const { return left_; }

private:
    /// Returns the order of this run, or nullopt after the last one. Ahead and back alternate.
    std::optional<double> ordered() const;
    void measure(double order, Instant now);
    bool end(std::string fault, Instant now);

    DriverSession session_;
    Instant begun_;  ///< the present run, or the wait for the driver
    bool has_begun_ = false;
    Instant ordered_at_{};         ///< the last order
    std::size_t run_ = 0;          ///< two of each speed
    std::optional<State> from_{};  ///< at the beginning of the measurement
    Instant from_at_{};
    bool is_over_ = false;
    std::string fault_;
    std::vector<WheelSample> right_;
    std::vector<WheelSample> left_;
};

/// Returns the lines for `[motion]` of a configuration.
std::string calibration_text(const WheelFit& right, const WheelFit& left);

}  // namespace caribou::driver
