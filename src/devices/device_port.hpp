#pragma once

#include "base/bytes.hpp"

namespace caribou::devices {

/// The serial port of a device, as its state machine uses it. No call blocks or fails: a port that is lost
/// discards what is written, and its owner notices.
class DevicePort {
public:
    virtual ~DevicePort() = default;
    /// What the port has no room for is discarded.
    virtual void write(ByteView bytes) = 0;
    /// Sets the control lines; true is asserted (low on the wire). No effect on a port that has none.
    virtual void set_lines(bool dtr, bool rts) = 0;
    virtual void set_baud(int baud) = 0;
    /// Discards what has arrived and was not read.
    virtual void discard_input() = 0;
};

}  // namespace caribou::devices
