#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"

namespace caribou::wire {

/// Splits a stream of concatenated JPEG images (MJPEG), as camera programs write it. Bytes that are not part
/// of an image are skipped and counted: text in between, images that are malformed or too large. It keeps one
/// image at most.
class JpegSplitter {
public:
    static constexpr std::size_t max_image = 1_MiB;

    /// Adds bytes of the stream. Returns the images that are now complete, in order.
    std::vector<Bytes> add(ByteView bytes);

    /// Returns the number of bytes that were skipped.
    std::uint64_t skipped() const { return skipped_; }
    /// Returns the number of bytes that wait for more.
    std::size_t kept() const { return bytes_.size() - begin_; }

private:
    enum class Step : std::uint8_t { more, image, wrong };
    Step look();
    /// Skips everything before the next possible begin of an image, at or after `from`.
    void find_begin(std::size_t from);

    Bytes bytes_;
    std::size_t begin_ = 0;  ///< of the image being read
    std::size_t at_ = 0;     ///< next byte to look at
    bool in_scan_ = false;   ///< `at_` is in entropy-coded data
    std::uint64_t skipped_ = 0;
};

}  // namespace caribou::wire
