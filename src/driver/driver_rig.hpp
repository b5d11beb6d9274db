#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "driver/driver_body.hpp"
#include "driver/frame.hpp"
#include "driver/limits.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::driver {

/// What a test and the robot's end of a connection share.
struct LineState {
    Bytes to_robot;
    Bytes from_robot;
    std::size_t room = 1_MiB;  ///< bytes that write() still accepts
    bool driver_closed = false;
    bool robot_ended = false;
    bool closes_when_ended = true;  ///< as every driver has to
};

class MemoryLine final : public DriverLine {
public:
    explicit MemoryLine(std::shared_ptr<LineState> state) : state_(std::move(state)) {}
    ~MemoryLine() override { MemoryLine::end(); }

    Result<std::size_t> read(std::span<std::byte> into) override {
        Bytes& from = state_->to_robot;
        if (from.empty() && state_->driver_closed) return fail(Code::closed, "closed");
        const std::size_t size = std::min(into.size(), from.size());
        std::copy_n(from.begin(), size, into.begin());
        from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(size));
        return size;
    }
    Result<std::size_t> write(ByteView bytes) override {
        const std::size_t size = std::min(bytes.size(), state_->room);
        state_->room -= size;
        append(state_->from_robot, bytes.first(size));
        return size;
    }
    void end() override {
        state_->robot_ended = true;
        if (state_->closes_when_ended) state_->driver_closed = true;
    }
    bool has_ended(Duration) override { return state_->driver_closed; }

private:
    std::shared_ptr<LineState> state_;
};

/// Collects what is logged.
class LogRig final : public Log {
public:
    void write(Level, std::string_view text) override { lines.emplace_back(text); }
    std::vector<std::string> lines;
};

/// A driver in the hands of a test, on virtual time.
class DriverRig {
public:
    DriverRig() { connect(); }

    static Hello hello() {
        const auto sensor = [](std::string name, std::uint8_t kind, bool required = false) {
            return Sensor{.name = std::move(name),
                          .kind = kind,
                          .place = {0.1, 0, 0},
                          .reach = 2,
                          .required = required};
        };
        Hello hello{.version = protocol_version,
                    .name = "base",
                    .radius = 0.15,
                    .wheel_base = 0.24,
                    .meters_per_tick = 0.0005,
                    .max_speed = 0.6,
                    .period_ms = 20,
                    .stops_without_feed_ms = -1,
                    .stop_frame = {0x89, 0, 0},
                    .lights = true,
                    .enable_line = false,
                    .sensors = {}};
        hello.sensors = {sensor("encoder_right", Sensor::ENCODER_RIGHT),
                         sensor("encoder_left", Sensor::ENCODER_LEFT),
                         sensor("bumper_front", Sensor::BUMPER, true),
                         sensor("range_front", Sensor::RANGE),
                         sensor("cliff_front", Sensor::CLIFF),
                         sensor("stop", Sensor::EMERGENCY_STOP),
                         sensor("battery", Sensor::BATTERY),
                         sensor("charger", Sensor::CHARGER),
                         sensor("imu", Sensor::IMU),
                         sensor("lidar", Sensor::LIDAR),
                         sensor("eyes", Sensor::EYES)};
        hello.sensors[9].can_power_down = true;
        return hello;
    }

    /// Opens another connection and offers it to the robot.
    void connect() {
        line = std::make_shared<LineState>();
        inlet.offer(std::make_unique<MemoryLine>(line));
        seq = 0;
    }
    void send(const DriverMessage& message) { append(line->to_robot, frame_of(message)); }
    State state() const {
        State state;
        state.seq = seq;
        state.time_us = static_cast<std::uint64_t>(clock().now().time_since_epoch().count() / 1000);
        state.has_encoders = true;
        state.left_ticks = left_ticks;
        state.right_ticks = right_ticks;
        state.switches = {State::CLEAR, State::CLEAR, State::CLEAR};
        state.ranges = {1.5F};
        state.has_battery = true;
        state.level = 0.8;
        state.volts = 12;
        return state;
    }
    void greet() {
        send(hello());
        send(state());
    }
    DriverBody::Greeting greeting() { return DriverBody::Greeting(inlet, clock()); }
    /// Greets and returns the body that the robot gets, which waits for a lidar and eyes in vain.
    std::unique_ptr<DriverBody> body() {
        greet();
        auto greeting = this->greeting();
        while (!greeting.poll().value()) turn();
        return std::make_unique<DriverBody>(std::move(greeting), log);
    }
    /// Returns what the robot has sent since the last call.
    std::vector<DriverMessage> received() {
        DriverFrameReader reader;
        reader.add(line->from_robot);
        line->from_robot.clear();
        std::vector<DriverMessage> all;
        while (auto message = reader.next().value()) all.push_back(std::move(*message));
        return all;
    }
    /// Carries out the orders that have arrived, and returns the last one.
    Order carry_out() {
        Order last;
        for (const DriverMessage& message : received())
            if (const auto* order = std::get_if<Order>(&message)) last = *order;
        if (last.seq != 0) seq = last.seq;
        return last;
    }
    /// One period of a good driver: carries out orders and reports.
    void turn() {
        loop.advance(std::chrono::milliseconds(20));
        const Order order = carry_out();
        State next = state();
        next.ordered_left = order.left;
        next.ordered_right = order.right;
        send(next);
    }
    const Clock& clock() const { return loop.clock(); }

    VirtualLoop loop;
    DriverInlet inlet;
    LogRig log;
    std::shared_ptr<LineState> line;
    std::uint32_t seq = 0;
    std::int64_t left_ticks = 0;
    std::int64_t right_ticks = 0;
};

}  // namespace caribou::driver
