#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driver/frame.hpp"
#include "driver/limits.hpp"
#include "driver/line.hpp"
#include "motion/body.hpp"

namespace caribou::driver {

/// The robot's side of one connection to a driver, from the hello to its end. Checks everything that the
/// driver sends. The first fault ends the connection and stays.
class DriverSession {
public:
    /// `line` outlives it.
    DriverSession(DriverLine& line, Instant now) : line_(line), opened_(now), window_(now) {}

    /// Reads what has arrived and checks how long the driver has been silent.
    void poll(Instant now);
    /// Sends an order. The session has a hello and no fault; otherwise nothing happens.
    void order(motion::WheelSpeeds speeds, bool enabled, Instant now);
    /// Sends another message, under the same condition.
    void send(const DriverMessage& message);
    /// Ends the connection, for a reason of the caller.
    void close(std::string why);

    const std::optional<Hello>& hello() const { return hello_; }
    const std::optional<State>& state() const { return state_; }
    /// Returns the number of states that have arrived.
    std::size_t states() const { return states_; }
    /// Returns the number of the last order that was sent.
    std::uint32_t last_order() const { return last_seq_; }
    /// Null if the sensor is off or has not reported yet; another object for each report.
    const std::shared_ptr<const motion::LidarScan>& scan() const { return scan_; }
    const std::shared_ptr<const motion::Sights>& sights() const { return sights_; }
    /// Returns why the connection has ended, or an empty text.
    const std::string& fault() const { return fault_; }
    /// Returns whether the driver has acknowledged rest, and no order to move is on its way to it. Also after
    /// a fault: then it is what was known before.
    bool confirms_rest() const;
    /// Returns whether the last state is older than three periods. True before the first state.
    bool is_silent(Instant now) const;
    /// Receives what the driver logs.
    void on_log(std::function<void(const LogLine&)> handler) { on_log_ = std::move(handler); }

private:
    struct SentOrder {
        std::uint32_t seq = 0;
        motion::WheelSpeeds speeds{};  ///< zero while the motors are disabled
        Instant at{};
    };

    Result<void> take(const DriverMessage& message, Instant now);
    Result<void> take_hello(const Hello& hello);
    Result<void> take_state(const State& state, Instant now);
    Result<void> take_scan(const Scan& scan);
    Result<void> take_sights(const Sights& sights);
    Result<void> acknowledge(const State& state);
    Result<void> read_available(Instant now);
    Result<void> count(std::size_t bytes, std::size_t frames, Instant now);
    Result<void> check_silence(Instant now) const;
    Duration lost_after() const;

    DriverLine& line_;
    DriverFrameReader reader_;
    std::optional<Hello> hello_;
    std::optional<State> state_;
    std::size_t states_ = 0;
    std::shared_ptr<const motion::LidarScan> scan_;
    std::shared_ptr<const motion::Sights> sights_;
    std::string fault_;
    std::string last_error_;  ///< that the driver logged
    Instant opened_;
    Instant heard_{};  ///< last state, or the hello before it
    std::deque<SentOrder> under_way_;
    std::uint32_t last_seq_ = 0;
    std::uint32_t acknowledged_ = 0;
    motion::WheelSpeeds carried_out_{};  ///< the acknowledged order
    Instant window_;                     ///< start of the second that is counted
    std::size_t bytes_in_window_ = 0;
    std::size_t frames_in_window_ = 0;
    std::function<void(const LogLine&)> on_log_;
};

}  // namespace caribou::driver
