#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace caribou::cubes {

/// How a connection is used.
enum class ConnectionType : std::uint8_t {
    background,    ///< silently: no automatic lights
    interactable,  ///< visibly: lights show connects and disconnects, and whether the cube is localized
};
std::string_view to_string(ConnectionType type);

/// A component that needs a cube. Callbacks come from the loop, never inside a call on the coordinator. Each
/// of them may subscribe again. A subscriber may be destroyed at any time; it receives no further callbacks.
class CubeConnectionSubscriber {
public:
    CubeConnectionSubscriber() : self_(std::make_shared<CubeConnectionSubscriber*>(this)) {}
    virtual ~CubeConnectionSubscriber() = default;
    CubeConnectionSubscriber(const CubeConnectionSubscriber&) = delete;
    CubeConnectionSubscriber& operator=(const CubeConnectionSubscriber&) = delete;

    /// Returns a name that shows users why the cube is connected. Must not be empty.
    virtual std::string_view cube_connection_debug_name() const = 0;

    /// Called once for each change of the connection's type, and when the cube is connected.
    virtual void connected_callback(ConnectionType) {}
    /// Called when the attempt has failed. The subscription has ended.
    virtual void connection_failed_callback() {}
    /// Called when the connection was lost unexpectedly. The subscription has ended.
    virtual void connection_lost_callback() = 0;

private:
    friend class CubeConnectionCoordinator;
    std::shared_ptr<CubeConnectionSubscriber*> self_;
};

}  // namespace caribou::cubes
