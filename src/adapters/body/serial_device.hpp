#pragma once

#include <span>
#include <string>

#include "base/result.hpp"
#include "devices/device_port.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// A serial port that a driver owns. Nothing blocks.
class SerialDevice final : public devices::DevicePort {
public:
    /// Without an open port: what is written is discarded.
    SerialDevice() = default;

    Result<void> open(const std::string& path, int baud);
    /// Takes over an open port.
    Result<void> adopt(Descriptor port, int baud);
    void close() { port_ = Descriptor(); }

    int descriptor() const { return port_.get(); }
    explicit operator bool() const { return static_cast<bool>(port_); }

    /// Returns the number of bytes that were read, which may be 0. Fails if the port is gone.
    Result<std::size_t> read(std::span<std::byte> into);

    void write(ByteView bytes) override;
    void set_lines(bool dtr, bool rts) override;
    /// Any baud rate that the hardware has.
    void set_baud(int baud) override;
    void discard_input() override;

private:
    Descriptor port_;
};

}  // namespace caribou
