#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace caribou::cubes {

class CubeConnectionCoordinator;

/// A handle of a subscription to a cube: destroying it unsubscribes. It has no effect if the subscription has
/// already ended. May outlive the coordinator.
class CubeSubscription {
public:
    CubeSubscription() = default;
    CubeSubscription(CubeSubscription&& other) noexcept
        : coordinator_(std::move(other.coordinator_)), id_(std::exchange(other.id_, 0)) {}
    CubeSubscription& operator=(CubeSubscription&& other) noexcept;
    ~CubeSubscription() { reset(); }

    /// Unsubscribes now.
    void reset();
    /// Returns whether the subscription is in force: not dropped, replaced, released or expired.
    bool active() const;

private:
    friend class CubeConnectionCoordinator;
    CubeSubscription(std::weak_ptr<CubeConnectionCoordinator*> coordinator, std::uint64_t id)
        : coordinator_(std::move(coordinator)), id_(id) {}

    std::weak_ptr<CubeConnectionCoordinator*> coordinator_;
    std::uint64_t id_ = 0;
};

}  // namespace caribou::cubes
