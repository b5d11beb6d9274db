#include "loop/bell.hpp"

#include <utility>

namespace caribou {

Bell::Bell(Loop& loop, Task on_ring) : loop_(loop), core_(std::make_shared<Core>(std::move(on_ring))) {}

Bell::~Bell() { core_->alive = false; }

void Bell::ring() {
    if (later_) later_->cancel();
    if (std::exchange(core_->rung, true)) return;
    loop_.post([core = core_] {
        core->rung = false;
        if (core->alive) core->on_ring();
    });
}

void Bell::ring_later() {
    if (!later_) later_ = loop_.make_timer([this] { ring(); });
    later_->arm(loop_.clock().now() + pause);
}

}  // namespace caribou
