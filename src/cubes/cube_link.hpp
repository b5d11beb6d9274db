#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "cubes/cube_message.hpp"

namespace caribou::cubes {

enum class LinkState : std::uint8_t { idle, scanning, connecting, connected, disconnecting };
std::string_view to_string(LinkState state);

/// Hears the one link to a cube. No event comes inside a call on the link.
class LinkEvents {
public:
    /// A cube is connected and ready.
    virtual void on_link_connected() {}
    /// An attempt that takes long (a firmware update) has come a step further.
    virtual void on_link_progress() {}
    /// An attempt has ended without a connection, and nobody had asked for that.
    virtual void on_link_failed(const Error&) {}
    /// A connection was lost, or what disconnect() asked for is done: Code::closed.
    virtual void on_link_closed(const Error&) {}
    virtual void on_message(const CubeMessage&) {}

protected:
    ~LinkEvents() = default;
};

/// The one link to a cube, without whom it is for: that is the coordinator's.
class CubeLink {
public:
    virtual LinkState link_state() const = 0;
    /// Finds a cube and connects to it; without effect if that is so already, or under way. While
    /// the last link is being closed, it begins after that.
    virtual Result<void> connect() = 0;
    /// Ends the link or the attempt. Does not give up until it is closed.
    virtual void disconnect() = 0;
    /// Observers hear in the order in which they were added. They outlive the link, or are removed.
    virtual void add_observer(LinkEvents& observer) = 0;
    virtual void remove_observer(LinkEvents& observer) = 0;

protected:
    ~CubeLink() = default;
};

}  // namespace caribou::cubes
