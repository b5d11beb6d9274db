#include "loop/shared_buffer.hpp"

namespace caribou {

StrandEvent::StrandEvent(Strand& strand, Task on_event)
    : strand_(strand), count_(strand), owner_(std::make_shared<Owner>(Owner{true, std::move(on_event)})) {}

StrandEvent::~StrandEvent() { owner_->alive = false; }

void StrandEvent::trigger() {
    bool first = false;
    count_.change([&](std::uint64_t& count) { first = count++ == 0; });
    if (first)
        strand_.post_here([owner = owner_] {
            if (owner->alive) owner->on_event();
        });
}

std::uint64_t StrandEvent::take() { return count_.take(); }

}  // namespace caribou
