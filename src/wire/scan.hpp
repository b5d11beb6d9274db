#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/pose.hpp"
#include "base/result.hpp"

/// A lidar's scan as bytes, in encodings that cost more or less. docs/formats/scan.md lays them out.
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
    full = 1,       ///< as they are
    quantised = 2,  ///< rounded to the resolution, two bytes each
    delta = 3,      ///< the same, as differences: about one byte each
};

/// Ranges come back as they were, or, if the encoding rounds, no farther than half the resolution away; a
/// negative range as 0, and one beyond 65,533 times the resolution as infinite. The scan has at most
/// max_beams.
Bytes encode_scan(const Scan& scan, ScanEncoding encoding, float resolution = 0.005F);

/// Whatever the encoding. malformed: where and what.
Result<Scan> decode_scan(ByteView bytes);

}  // namespace caribou::wire
