#include "cubes/subscription.hpp"

#include "cubes/coordinator.hpp"

namespace caribou::cubes {

CubeConnectionSubscriber::~CubeConnectionSubscriber() {
    for (const auto& each : coordinators_)
        if (const auto coordinator = each.lock()) (*coordinator)->forget(*this);
}

CubeSubscription& CubeSubscription::operator=(CubeSubscription&& other) noexcept {
    if (this == &other) return *this;
    reset();
    coordinator_ = std::move(other.coordinator_);
    id_ = std::exchange(other.id_, 0);
    return *this;
}

void CubeSubscription::reset() {
    const auto coordinator = std::exchange(coordinator_, {}).lock();
    if (coordinator) (*coordinator)->unsubscribe(id_);
}

bool CubeSubscription::active() const {
    const auto coordinator = coordinator_.lock();
    return coordinator && (*coordinator)->holds(id_);
}

}  // namespace caribou::cubes
