#include "caribou/device_driver.hpp"

#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "adapters/body/serial_device.hpp"
#include "base/limits.hpp"
#include "devices/device_body.hpp"
#include "devices/device_kinds.hpp"
#include "kit/driver/driver_loop.hpp"
#include "platform/inherited_descriptor.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

constexpr const char* device_variable = "CARIBOU_DEVICE_FD";
/// Less than a robot waits for the hello of a driver.
constexpr Duration answer_limit = 4500ms;
constexpr Duration reopen_pause = 500ms;

/// Reads what has arrived at a port.
Result<void> read_into(SerialDevice& port, const std::function<void(ByteView)>& take) {
    std::array<std::byte, 4_KiB> buffer;
    const auto size = port.read(buffer);
    if (!size) return fail(size.error());
    if (*size > 0) take(std::span(buffer).first(*size));
    return {};
}

/// A lidar, and its port, which is opened again while it is lost.
class LidarPort {
public:
    LidarPort(DriverLoop& loop, const LidarPlace& place, devices::ScanMaker& scans)
        : loop_(loop),
          place_(place),
          scans_(scans),
          lidar_(devices::make_lidar(place.kind, port_, scans, loop.log())) {}

    void tick() {
        const Instant now = loop_.clock().now();
        if (port_) return lidar_->tick(now);
        if (now < tried_ + reopen_pause) return;
        tried_ = now;
        if (const auto opened = port_.open(place_.port, lidar_->baud()); !opened) {
            complain(opened.error().message);
            return;
        }
        complaint_.clear();
        loop_.log().info(fmt::format("lidar: {} is there", place_.port));
        loop_.watch(port_.descriptor(), [this] { return read(); });
        lidar_->begin(now);
    }
    void end() { lidar_->end(); }

private:
    Result<void> read() {
        const auto taken =
            read_into(port_, [this](ByteView bytes) { lidar_->on_bytes(bytes, loop_.clock().now()); });
        if (taken) return {};
        complain(fmt::format("{}: {}", place_.port, taken.error().message));
        loop_.unwatch(port_.descriptor());
        port_.close();
        scans_.restart();
        return {};
    }
    void complain(const std::string& why) {
        if (std::exchange(complaint_, why) != why) loop_.log().warning(fmt::format("lidar: {}", why));
    }

    DriverLoop& loop_;
    const LidarPlace& place_;
    devices::ScanMaker& scans_;
    SerialDevice port_;
    std::unique_ptr<devices::Lidar> lidar_;
    Instant tried_{};
    std::string complaint_;
};

class DeviceDriver {
public:
    DeviceDriver(DriverLoop& loop, const DeviceDriverOptions& options)
        : loop_(loop),
          options_(options),
          base_(devices::make_base(options.base, options.plan, port_, loop.log())) {}

    Result<void> run() {
        if (auto opened = open_port(); !opened) return reported(opened.error());
        loop_.watch(port_.descriptor(), [this] { return read_base(); });
        base_->begin(loop_.clock().now());
        body_ = std::make_unique<devices::DeviceBody>(*base_, lidar_options());
        if (options_.lidar) lidar_ = std::make_unique<LidarPort>(loop_, *options_.lidar, body_->scans());
        const auto ready = loop_.prepare([this] { return is_ready(); });
        if (!ready) return reported(ready.error());
        auto served = *ready ? serve() : Result<void>();
        base_->end();
        if (lidar_) lidar_->end();
        loop_.close();
        return served;
    }

private:
    std::string port_name() const { return options_.port.empty() ? "body.device" : options_.port; }
    std::unexpected<Error> reported(const Error& error) {
        loop_.report(error);
        return fail(error);
    }

    Result<void> open_port() {
        if (!options_.port.empty()) return port_.open(options_.port, options_.baud);
        Descriptor device = inherited_descriptor(device_variable);
        if (!device)
            return fail(
                Code::invalid_argument,
                "name the port of the base in body.device of the robot's configuration, or in --port");
        return port_.adopt(std::move(device), options_.baud);
    }
    std::optional<devices::DeviceBody::LidarOptions> lidar_options() const {
        if (!options_.lidar) return std::nullopt;
        return devices::DeviceBody::LidarOptions{.mount = options_.lidar->mount,
                                                 .required = options_.lidar->required};
    }
    Result<void> read_base() {
        const auto taken =
            read_into(port_, [this](ByteView bytes) { base_->on_bytes(bytes, loop_.clock().now()); });
        if (taken) return {};
        return fail(Code::closed, fmt::format("{}: {}", port_name(), taken.error().message));
    }
    Result<void> turn() {
        const Instant now = loop_.clock().now();
        base_->tick(now);
        if (lidar_) lidar_->tick();
        body_->tick(now);
        if (const std::string trouble = base_->trouble(); !trouble.empty())
            return fail(Code::timed_out, trouble);
        return {};
    }
    Result<bool> is_ready() {
        if (auto turned = turn(); !turned) return fail(turned.error());
        if (base_->is_ready()) return true;
        if (loop_.clock().now() < begun_ + answer_limit) return false;
        return fail(Code::timed_out,
                    fmt::format("the {} does not answer at {}: is it switched on, and the cable in place?",
                                options_.base, port_name()));
    }
    Result<void> serve() {
        return loop_.run(*body_,
                         {.name = options_.base,
                          .stops_without_feed_ms = base_->stops_without_feed_ms(),
                          .stop_frame = base_->stop_frame()},
                         [this] { return turn(); });
    }

    DriverLoop& loop_;
    const DeviceDriverOptions& options_;
    SerialDevice port_;
    std::unique_ptr<devices::Base> base_;
    std::unique_ptr<devices::DeviceBody> body_;
    std::unique_ptr<LidarPort> lidar_;
    Instant begun_ = loop_.clock().now();
};

}  // namespace

Result<void> drive_devices(const DeviceDriverOptions& options) {
    auto loop = DriverLoop::open();
    if (!loop) return fail(loop.error());
    return DeviceDriver(**loop, options).run();
}

}  // namespace caribou::app
