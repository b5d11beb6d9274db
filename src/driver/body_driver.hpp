#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "driver/body_driver_settings.hpp"
#include "driver/frame.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::driver {

/// The driver's side of a connection, for any motion::Body: sends its hello, its states, scans and sights,
/// and carries out the orders. The caller passes the bytes in both directions and the time.
class BodyDriver {
public:
    using Send = std::function<void(ByteView)>;
    /// Called after each order, and after stop(), with what the body was ordered to do.
    using OnOrder = std::function<void(motion::WheelSpeeds, std::string_view why)>;

    /// `body` outlives it.
    BodyDriver(motion::Body& body, BodyDriverSettings settings, Send send, OnOrder on_order = nullptr);

    /// Sends the hello and the first readings.
    void greet(Instant now);
    /// Carries out what the robot sent. After an error, or when finished() is true, the caller calls stop()
    /// and closes the connection.
    Result<void> on_bytes(ByteView bytes, Instant now);
    /// Sends new scans and sights at once, and the state when it is due.
    void tick(Instant now);
    /// Orders zero and disables the motors.
    void stop(std::string_view why);
    bool finished() const { return finished_; }

private:
    Result<void> take(const DriverMessage& message, Instant now);
    void carry_out(const Order& order, Instant now);
    void send_state(Instant now);
    /// Returns the reading of the first sensor of that kind; null if there is none.
    template <class T>
    std::shared_ptr<const T> reading_of(motion::SensorKind kind);
    void send_new_readings();
    void send(const motion::LidarScan* seen);
    void send(const motion::Sights* seen);
    void fill(State& state, const motion::SensorPlan& sensor, const motion::SensorReading& reading) const;

    motion::Body& body_;
    BodyDriverSettings settings_;
    Send send_;
    OnOrder on_order_;
    DriverFrameReader reader_;
    std::uint32_t seq_ = 0;
    motion::WheelSpeeds ordered_{};
    Instant state_sent_{};
    std::shared_ptr<const motion::LidarScan> scan_{};  ///< as sent
    std::shared_ptr<const motion::Sights> sights_{};   ///< as sent
    bool finished_ = false;
};

/// Returns the hello that describes a body.
Hello hello_of(motion::Body& body, const BodyDriverSettings& settings);

}  // namespace caribou::driver
