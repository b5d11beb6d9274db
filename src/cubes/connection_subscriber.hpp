#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace caribou::cubes {

/// How a connection is held.
enum class ConnectionType : std::uint8_t {
    background,    ///< silently: no light plays by itself
    interactable,  ///< visibly: lights show when it comes and goes, and whether the cube is localized
};
std::string_view to_string(ConnectionType type);

/// Who needs a cube. Callbacks come from the loop, never inside a call on the coordinator; in each
/// of them it may subscribe again. One that is destroyed is not called any more.
class CubeConnectionSubscriber {
public:
    CubeConnectionSubscriber() : self_(std::make_shared<CubeConnectionSubscriber*>(this)) {}
    virtual ~CubeConnectionSubscriber() = default;
    CubeConnectionSubscriber(const CubeConnectionSubscriber&) = delete;
    CubeConnectionSubscriber& operator=(const CubeConnectionSubscriber&) = delete;

    /// For people who ask why the cube is connected. Not empty.
    virtual std::string_view cube_connection_debug_name() const = 0;

    /// The cube is connected, of this type from now on: once for each change.
    virtual void connected_callback(ConnectionType) {}
    /// The attempt has failed; the subscription is gone.
    virtual void connection_failed_callback() {}
    /// The connection was lost unexpectedly; the subscription is gone.
    virtual void connection_lost_callback() = 0;

private:
    friend class CubeConnectionCoordinator;
    std::shared_ptr<CubeConnectionSubscriber*> self_;
};

}  // namespace caribou::cubes
