#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace caribou::cubes {

class CubeConnectionCoordinator;

/// How a connection is used.
enum class ConnectionType : std::uint8_t {
    background,    ///< silently: no automatic lights
    interactable,  ///< visibly: lights show connects and disconnects, and whether the cube is localized
};
std::string_view to_string(ConnectionType type);

/// A component that needs a cube. Callbacks come from the loop, never inside a call on the coordinator. Each
/// of them may subscribe again. A subscriber may be destroyed at any time; that ends its subscription. A
/// callback that throws ends the subscription, too; other subscribers are not affected.
class CubeConnectionSubscriber {
public:
    CubeConnectionSubscriber() : self_(std::make_shared<CubeConnectionSubscriber*>(this)) {}
    virtual ~CubeConnectionSubscriber();
    CubeConnectionSubscriber(const CubeConnectionSubscriber&) = delete;
    CubeConnectionSubscriber& operator=(const CubeConnectionSubscriber&) = delete;

    /// Returns a name that shows users why the cube is connected. Must not be empty.
    virtual std::string_view cube_connection_debug_name() const = 0;

    /// Called when the cube is connected, for each change of the connection's type, and after a subscription
    /// while connected, except inside this callback.
    virtual void connected_callback(ConnectionType) {}
    /// Called when the attempt has failed. The subscription has ended.
    virtual void connection_failed_callback() {}
    /// Called when the connection was lost unexpectedly. The subscription has ended.
    virtual void connection_lost_callback() = 0;

private:
    friend class CubeConnectionCoordinator;
    std::shared_ptr<CubeConnectionSubscriber*> self_;
    std::vector<std::weak_ptr<CubeConnectionCoordinator*>> coordinators_;  ///< that it has subscribed to
};

}  // namespace caribou::cubes
