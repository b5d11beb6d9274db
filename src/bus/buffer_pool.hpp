#pragma once

#include <cstddef>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"

namespace caribou::bus {

/// Reuses emptied buffers, so that an idle client holds no buffer and a busy broker does not allocate.
class BufferPool {
public:
    /// Returns an empty buffer, which may already have capacity.
    Bytes take();
    void give(Bytes buffer);

    static constexpr std::size_t max_kept_bytes = 4_MiB;
    static constexpr std::size_t max_kept_buffer = 512_KiB;

private:
    std::vector<Bytes> kept_;
    std::size_t kept_bytes_ = 0;
};

}  // namespace caribou::bus
