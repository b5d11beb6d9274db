#include "bus/buffer_pool.hpp"

#include <utility>

namespace caribou::bus {

Bytes BufferPool::take() {
    if (kept_.empty()) return {};
    Bytes buffer = std::move(kept_.back());
    kept_.pop_back();
    kept_bytes_ -= buffer.capacity();
    return buffer;
}

void BufferPool::give(Bytes buffer) {
    const std::size_t size = buffer.capacity();
    if (size == 0 || size > max_kept_buffer || kept_bytes_ + size > max_kept_bytes) return;
    buffer.clear();
    kept_bytes_ += size;
    kept_.push_back(std::move(buffer));
}

}  // namespace caribou::bus
