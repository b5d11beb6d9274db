#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/pose.hpp"
#include "base/result.hpp"

/// Serialization of lidar scans, in encodings of different size and cost. The formats are described in
/// docs/formats/scan.md.
namespace caribou::wire {

struct Scan {
    double time = 0;              ///< seconds since 1970
    float first_angle = 0;        ///< radians from straight ahead, to the left
    float angle_step = 0;         ///< radians to the next beam
    float reach = 0;              ///< metres
    std::vector<float> ranges{};  ///< metres; infinite: nothing within reach; not a number: no reading
    std::optional<Pose> pose{};   ///< of the robot at `time`, in the frame of its map; none: not known

    static constexpr std::size_t max_beams = 16'384;
};

enum class ScanEncoding : std::uint8_t {
    full = 1,       ///< unchanged
    quantised = 2,  ///< rounded to the resolution, two bytes each
    delta = 3,      ///< likewise, as differences: about one byte each
};

/// Returns the encoded scan, which must have at most max_beams. `full` preserves the ranges exactly. The
/// other encodings round them to the nearest multiple of `resolution` (in meters); a negative range becomes
/// 0, and one beyond 65,533 times the resolution becomes infinity.
Bytes encode_scan(const Scan& scan, ScanEncoding encoding, float resolution = 0.005F);

/// Decodes a scan of any encoding. Returns Code::malformed with the reason.
Result<Scan> decode_scan(ByteView bytes);

}  // namespace caribou::wire
