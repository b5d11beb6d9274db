#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "cubes/cube_address.hpp"

namespace caribou::cubes {

/// The GATT characteristics of a cube (UUIDs in docs/formats/cube-messages.md).
enum class Characteristic : std::uint8_t {
    app_write,  ///< messages to the cube
    app_read,   ///< messages from the cube, as notifications
    version,    ///< its firmware version, a text; readable, and notified after an update
    firmware,   ///< receives a new firmware
};
std::string_view to_string(Characteristic characteristic);

/// Maximum size of a characteristic's value in bytes.
inline constexpr std::size_t max_value_size = 20;

/// An advertisement received from a cube.
struct Advertisement {
    CubeAddress address;
    std::string name;
    int rssi = 0;  ///< dBm

    friend bool operator==(const Advertisement&, const Advertisement&) = default;
};

/// The status of the radio itself. It returns to `ready` automatically once the problem is solved.
struct RadioStatus {
    enum class Kind : std::uint8_t {
        ready,
        off,          ///< present, but switched off
        denied,       ///< this program is not permitted to use it
        unavailable,  ///< not present, or its driver does not respond
    };
    Kind kind = Kind::ready;
    std::string text{};  ///< what the user can do about it

    bool ready() const { return kind == Kind::ready; }
    friend bool operator==(const RadioStatus&, const RadioStatus&) = default;
};
std::string_view to_string(RadioStatus::Kind kind);

/// Receives the events of a radio. No event comes inside a call on the radio.
class RadioEvents {
public:
    /// Called when the status has changed. If there was a link, on_disconnected is called as well.
    virtual void on_status(const RadioStatus& status) = 0;
    /// Called while scanning, any number of times per cube.
    virtual void on_advertisement(const Advertisement& advertisement) = 0;
    /// Reply to connect(): the link is established and notifications are enabled.
    virtual void on_connected() = 0;
    /// Reply to connect(): there is no link.
    virtual void on_connect_failed(const Error& why) = 0;
    /// Called when the link is closed. `why` has Code::closed if disconnect() requested it.
    virtual void on_disconnected(const Error& why) = 0;
    /// Called for a notification, and as the reply to read(). The bytes are valid during the call.
    virtual void on_value(Characteristic from, ByteView value) = 0;
    /// Called when the oldest pending write() has been sent.
    virtual void on_written(Characteristic to) = 0;

protected:
    ~RadioEvents() = default;
};

/// A radio with at most one link at a time. Every call returns immediately; its outcome is reported by an
/// event.
///
/// | call       | allowed while       | outcome                                                     |
/// |------------|---------------------|-------------------------------------------------------------|
/// | start_scan | ready               | on_advertisement, until stop_scan or connect                |
/// | connect    | no link, no attempt | on_connected or on_connect_failed, or nothing: cancel with  |
/// |            |                     | disconnect                                                  |
/// | disconnect | link or attempt     | on_disconnected, also for an attempt. If refused, the link  |
/// |            |                     | remains, and it may be called again                         |
/// | read       | link                | on_value                                                    |
/// | write      | link                | on_written, in the order of the calls                       |
///
/// At any other time a call returns Code::wrong_state; without a usable radio Code::unavailable.
class Radio {
public:
    virtual ~Radio() = default;
    /// Returns the name used in `--radio simulated`.
    virtual std::string_view name() const = 0;
    /// Sets the receiver of events; nullptr removes it.
    virtual void attach(RadioEvents* events) = 0;
    virtual RadioStatus status() const = 0;

    virtual Result<void> start_scan() = 0;
    virtual void stop_scan() = 0;
    virtual Result<void> connect(CubeAddress address) = 0;
    virtual Result<void> disconnect() = 0;
    virtual Result<void> read(Characteristic from) = 0;
    virtual Result<void> write(Characteristic to, ByteView value) = 0;
};

}  // namespace caribou::cubes
