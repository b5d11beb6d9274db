#pragma once

#include <cstddef>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"

namespace caribou::bus {

/// Keeps emptied buffers for the next user, so that a client costs no buffer while it is quiet and
/// a busy broker does not allocate.
class BufferPool {
public:
    /// An empty buffer, perhaps with room already.
    Bytes take();
    void give(Bytes buffer);

    static constexpr std::size_t max_kept_bytes = 4_MiB;
    static constexpr std::size_t max_kept_buffer = 512_KiB;

private:
    std::vector<Bytes> kept_;
    std::size_t kept_bytes_ = 0;
};

}  // namespace caribou::bus
