#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace caribou::cubes {

class CubeConnectionCoordinator;

/// Holds a subscription to a cube: letting it go unsubscribes. Without effect when the subscription
/// has ended otherwise. May outlive the coordinator.
class CubeSubscription {
public:
    CubeSubscription() = default;
    CubeSubscription(CubeSubscription&& other) noexcept
        : coordinator_(std::move(other.coordinator_)), id_(std::exchange(other.id_, 0)) {}
    CubeSubscription& operator=(CubeSubscription&& other) noexcept;
    ~CubeSubscription() { reset(); }

    /// Unsubscribes.
    void reset();
    /// Whether the subscription still counts: it was not dropped, replaced, let go, and has not expired.
    bool active() const;

private:
    friend class CubeConnectionCoordinator;
    CubeSubscription(std::weak_ptr<CubeConnectionCoordinator*> coordinator, std::uint64_t id)
        : coordinator_(std::move(coordinator)), id_(id) {}

    std::weak_ptr<CubeConnectionCoordinator*> coordinator_;
    std::uint64_t id_ = 0;
};

}  // namespace caribou::cubes
