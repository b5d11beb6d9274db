#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "driver/line.hpp"
#include "driver/session.hpp"
#include "loop/clock.hpp"
#include "motion/body.hpp"

namespace caribou::driver {

/// A body behind a driver process. No call blocks. While the driver is gone, silent or has been disconnected
/// because of a fault, absence() returns the reason, sensors give no reading, and orders are discarded; the
/// next connection in the inlet, with the same hello, ends the absence.
class DriverBody final : public motion::Body {
public:
    /// Waits for a connection, its hello and its first state. Polled by the caller.
    class Greeting {
    public:
        Greeting(DriverInlet& inlet, const Clock& clock) : inlet_(inlet), clock_(clock) {}
        /// Returns whether all of it has arrived: hello, state, and the first scan and sights of a driver
        /// that declares such sensors. These are waited for no longer than first_readings. Fails if the
        /// driver closes the connection or sends something wrong.
        Result<bool> poll();

        static constexpr Duration first_readings = std::chrono::seconds(1);

    private:
        friend class DriverBody;
        bool has_first_readings() const;

        std::optional<Instant> introduced_;  ///< when hello and state had arrived
        DriverInlet& inlet_;
        const Clock& clock_;
        std::unique_ptr<DriverLine> line_;
        std::unique_ptr<DriverSession> session_;
    };

    /// `greeting` is complete. The inlet and the clock that it was made with, and `log`, outlive the body.
    DriverBody(Greeting greeting, Log& log);
    ~DriverBody() override;

    /// Returns the hello of the first connection.
    const Hello& hello() const { return hello_; }

    const motion::BodyPlan& plan() const override { return plan_; }
    motion::SensorReading read(std::size_t sensor) override;
    Result<void> enable_motors(bool enabled) override;
    bool motors_enabled() override;
    void drive(motion::WheelSpeeds speeds) override;
    /// Ends the connection without any lock, which orders the driver to stop, and waits at most cut_limit
    /// until the driver has closed its end.
    Result<void> cut_motors() override;
    std::string motor_fault() override;
    std::string absence() override;
    bool confirms_rest() override;
    Result<void> set_power(std::size_t sensor, bool on) override;
    void set_lights(motion::BodyLights lights) override;
    std::vector<motion::PartCheck> self_check() override;

    static constexpr Duration cut_limit = std::chrono::milliseconds(100);

private:
    /// Where a state has the reading of a sensor.
    struct SensorPlace {
        std::size_t index = 0;  ///< in `switches` or `ranges`
        bool powered = true;
        /// Of an emergency stop, which keeps its reading while the body is absent: absence stops the robot
        /// already, and the restart of a driver is not an emergency.
        motion::SensorReading last{};
    };
    /// A driver counts from any number; the readings of the body go on where they were.
    struct TickOffset {
        std::int64_t left = 0;
        std::int64_t right = 0;
    };

    struct SentOrder {
        motion::WheelSpeeds speeds{};
        bool enabled = false;

        friend bool operator==(const SentOrder&, const SentOrder&) = default;
    };

    /// Sends an order unless it repeats the last one or exceeds the limits of a window. Propulsion orders
    /// anew in each step, so that an order that was left out is late by a period at most; one to rest, or to
    /// switch the motors off, never is.
    void order(motion::WheelSpeeds speeds);
    bool is_due(const SentOrder& order, Instant now);
    void refresh();
    void watch_session(Instant now);
    void adopt(std::unique_ptr<DriverLine> line, Instant now);
    void welcome();
    /// Passes a line of the driver to the log, within the limits.
    void log(const LogLine& line);
    void report_dropped(Instant now);
    void retire(std::unique_ptr<DriverLine> line);
    bool is_live() const { return session_->fault().empty() && welcomed_; }
    motion::SensorReading reading_of(std::size_t sensor, const State& state) const;

    DriverInlet& inlet_;
    const Clock& clock_;
    Log& log_;
    Hello hello_;
    motion::BodyPlan plan_;
    std::vector<SensorPlace> places_;
    std::unique_ptr<DriverLine> line_;
    std::unique_ptr<DriverSession> session_;
    std::vector<std::unique_ptr<DriverLine>> retired_;  ///< that a cut may still use
    bool welcomed_ = true;                              ///< the session's hello was accepted
    bool reported_ = false;                             ///< the session's fault was logged
    std::optional<Instant> polled_;
    Instant log_window_{};           ///< start of the second in which log lines are counted
    std::size_t log_lines_ = 0;      ///< logged in this second
    std::size_t dropped_lines_ = 0;  ///< and not reported yet
    TickOffset offset_;
    TickOffset last_ticks_;      ///< as read by the robot
    bool rebase_ticks_ = false;  ///< at the next state
    motion::BodyLights lights_ = motion::BodyLights::off;
    std::optional<SentOrder> sent_;     ///< the last order of this connection
    Instant order_window_{};            ///< start of the time in which orders are counted
    std::size_t orders_in_window_ = 0;  ///< without those to rest beyond the limit
    unsigned cuts_seen_ = 0;
    // cut_motors may be called by any thread while another call hangs, so that it can wait for no loop.
    std::atomic<bool> enabled_ = false;  // tidy: allow lock: cut_motors
    std::atomic<unsigned> cuts_ = 0;     // tidy: allow lock: cut_motors
    /// line_, for cut_motors.
    std::atomic<DriverLine*> current_ = nullptr;  // tidy: allow lock: cut_motors
    /// Calls of cut_motors under way.
    std::atomic<int> cutting_ = 0;  // tidy: allow lock: cut_motors
};

}  // namespace caribou::driver
