#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "loop/strand.hpp"
#include "motion/motion.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Returns whether a full stop is latched. A stop for the end of the program is not: the robot can move after
/// a restart.
inline bool is_latched(const motion::MotionReport& motion) {
    return motion.stop.has_value() && motion.stop != motion::StopCause::shutdown;
}

/// Reads the sensors of `sensor_array` at a fixed rate into `telemetry_buffer`. If the buffer is locked by a
/// reader, the round is dropped.
class ThreadTelemetry {
public:
    struct Options {
        double rate = 10;                                        ///< Hz
        Duration motion_limit = std::chrono::milliseconds(200);  ///< age from which motion counts as unknown
    };

    /// All arguments must outlive this object.
    ThreadTelemetry(Strand& strand, motion::Body& body, const motion::MotionControl& motion,
                    RobotBuffers& buffers, Options options);

    /// Runs a test cycle, notifies main, and continues with rounds. The test cycle is repeated while required
    /// sensors give no reading, at most for first_readings_limit.
    void start();
    static constexpr Duration first_readings_limit = std::chrono::seconds(3);

    void stop();
    /// Collects a round at once, also while collecting is switched off, so that the mode in which telemetry
    /// ends is shown. No effect before start().
    void show();

    std::uint64_t rounds() const { return rounds_; }
    std::uint64_t dropped() const { return dropped_; }

private:
    void test();
    void on_due();
    void round();
    std::shared_ptr<TelemetryRound> collected();
    void announce();
    void collect(TelemetryRound& into);
    void summarise(TelemetryRound& round) const;
    void obey();
    void arm();

    Strand& strand_;
    motion::Body& body_;
    const motion::MotionControl& motion_;
    RobotBuffers& buffers_;
    Options options_;
    Duration period_;
    std::vector<ReadingTime> times_;  ///< by sensor
    std::uint64_t rounds_ = 0;
    std::uint64_t dropped_ = 0;
    bool collects_ = true;
    std::optional<Instant> test_until_;  ///< while the test cycle has not ended
    Instant next_{};
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::robot
