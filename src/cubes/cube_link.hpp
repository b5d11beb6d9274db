#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "cubes/cube_message.hpp"

namespace caribou::cubes {

enum class LinkState : std::uint8_t { idle, scanning, connecting, connected, disconnecting };
std::string_view to_string(LinkState state);

/// Receives the events of the link to a cube. No event comes inside a call on the link.
class LinkEvents {
public:
    /// Called when a cube is connected and ready.
    virtual void on_link_connected() {}
    /// Called when a lengthy attempt (a firmware update) has made progress.
    virtual void on_link_progress() {}
    /// Called when an attempt has ended without a connection, and not because of disconnect().
    virtual void on_link_failed(const Error&) {}
    /// Called in the loop's next turn after disconnect() of a connected cube. The link may take long to
    /// close, and a new connection may be requested meanwhile.
    virtual void on_link_ending() {}
    /// Called when the connection was lost, or with Code::closed when disconnect() has completed. Not called
    /// if connect() was called before that.
    virtual void on_link_closed(const Error&) {}
    virtual void on_message(const CubeMessage&) {}

protected:
    ~LinkEvents() = default;
};

/// The link to a cube. It does not know who uses it; that is the coordinator's responsibility.
class CubeLink {
public:
    virtual LinkState link_state() const = 0;
    /// Finds a cube and connects to it. Has no effect if a cube is already connected or being connected.
    /// While the previous link is being closed, the attempt starts afterwards.
    virtual Result<void> connect() = 0;
    /// Ends the link or the attempt. Retries until the link is closed.
    virtual void disconnect() = 0;
    /// Observers are called in the order in which they were added. They must outlive the link or be removed.
    virtual void add_observer(LinkEvents& observer) = 0;
    virtual void remove_observer(LinkEvents& observer) = 0;

protected:
    ~CubeLink() = default;
};

}  // namespace caribou::cubes
