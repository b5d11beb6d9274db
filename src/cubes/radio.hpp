#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "cubes/cube_address.hpp"

namespace caribou::cubes {

/// What of a cube can be read and written (docs/formats/cube-messages.md has their UUIDs).
enum class Characteristic : std::uint8_t {
    app_write,  ///< messages to the cube
    app_read,   ///< messages from the cube, as notifications
    version,    ///< of its firmware: a text; read, and notified after an update
    firmware,   ///< where a new firmware goes
};
std::string_view to_string(Characteristic characteristic);

/// A value of a characteristic is never longer.
inline constexpr std::size_t max_value_size = 20;

/// A cube has said that it is there.
struct Advertisement {
    CubeAddress address;
    std::string name;
    int rssi = 0;  ///< dBm

    friend bool operator==(const Advertisement&, const Advertisement&) = default;
};

/// How the radio itself is. Everything but `ready` is left by itself when the reason has gone.
struct RadioStatus {
    enum class Kind : std::uint8_t {
        ready,
        off,          ///< there is one, but it is switched off
        denied,       ///< this program may not use it
        unavailable,  ///< there is none, or what runs it does not answer
    };
    Kind kind = Kind::ready;
    std::string text{};  ///< for people: what to do

    bool ready() const { return kind == Kind::ready; }
    friend bool operator==(const RadioStatus&, const RadioStatus&) = default;
};
std::string_view to_string(RadioStatus::Kind kind);

/// Hears a radio. No event comes inside a call on the radio.
class RadioEvents {
public:
    /// The status has changed. If there was a link, on_disconnected comes as well.
    virtual void on_status(const RadioStatus& status) = 0;
    /// While scanning; any number of times for each cube.
    virtual void on_advertisement(const Advertisement& advertisement) = 0;
    /// The link stands, and notifications come. Answers connect().
    virtual void on_connected() = 0;
    /// Answers connect(): there is no link.
    virtual void on_connect_failed(const Error& why) = 0;
    /// The link is closed. `why` has Code::closed if disconnect() asked for it.
    virtual void on_disconnected(const Error& why) = 0;
    /// A notification, or the answer to read(). The bytes are valid during the call.
    virtual void on_value(Characteristic from, ByteView value) = 0;
    /// The oldest write() that was not answered yet has left.
    virtual void on_written(Characteristic to) = 0;

protected:
    ~RadioEvents() = default;
};

/// A radio that holds one link at a time. Every call returns at once; what comes of it is an event.
///
/// | call       | while               | then                                                        |
/// |------------|---------------------|-------------------------------------------------------------|
/// | start_scan | ready               | on_advertisement, until stop_scan or connect                |
/// | connect    | no link, no attempt | on_connected or on_connect_failed, or nothing: give up with |
/// |            |                     | disconnect                                                  |
/// | disconnect | link or attempt     | on_disconnected, also for an attempt. Refused: the link     |
/// |            |                     | stays, and it may be called again                           |
/// | read       | link                | on_value                                                    |
/// | write      | link                | on_written, in the order of the calls                       |
///
/// At any other time a call returns Code::wrong_state; without a usable radio Code::unavailable.
class Radio {
public:
    virtual ~Radio() = default;
    /// As in `--radio simulated`.
    virtual std::string_view name() const = 0;
    /// Who hears it; null: nobody any more.
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
