#pragma once

#include <cstddef>
#include <optional>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "msg/caribou_driver/attach.hpp"
#include "msg/caribou_driver/bye.hpp"
#include "msg/caribou_driver/hello.hpp"
#include "msg/caribou_driver/lights.hpp"
#include "msg/caribou_driver/log.hpp"
#include "msg/caribou_driver/order.hpp"
#include "msg/caribou_driver/power.hpp"
#include "msg/caribou_driver/scan.hpp"
#include "msg/caribou_driver/sights.hpp"
#include "msg/caribou_driver/state.hpp"

/// The protocol between a robot and the driver of its body, a process of its own (docs/formats/driver.md).
namespace caribou::driver {

using msg::caribou_driver::Attach;
using msg::caribou_driver::Bye;
using msg::caribou_driver::Cube;
using msg::caribou_driver::Hello;
using msg::caribou_driver::Lights;
using LogLine = msg::caribou_driver::Log;
using msg::caribou_driver::Order;
using msg::caribou_driver::Place;
using msg::caribou_driver::Power;
using msg::caribou_driver::Scan;
using msg::caribou_driver::Sensor;
using msg::caribou_driver::Sights;
using msg::caribou_driver::State;

/// One frame. The kind on the wire is that of frame_kinds, at the index of the alternative.
using DriverMessage = std::variant<Hello, State, Scan, Sights, LogLine, Order, Lights, Power, Bye, Attach>;

/// Returns the message with its length and kind, ready to be sent. The caller guarantees the bounds of the
/// `.msg` file.
Bytes frame_of(const DriverMessage& message);

/// Splits the bytes of a stream into frames. Keeps the beginning of one frame at most.
class DriverFrameReader {
public:
    void add(ByteView bytes) { caribou::append(bytes_, bytes); }
    /// Returns the next message, or nullopt if more bytes are needed. After an error the stream is lost.
    Result<std::optional<DriverMessage>> next();
    /// Returns the bytes that were not read yet, and forgets them.
    Bytes take_rest();
    /// Returns the number of bytes that wait for more.
    std::size_t kept() const { return bytes_.size() - begin_; }

private:
    Bytes bytes_;
    std::size_t begin_ = 0;
};

}  // namespace caribou::driver
