#include "wire/scan.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/varint.hpp"

namespace caribou::wire {
namespace {

constexpr std::byte scan_mark{'S'};
constexpr std::size_t scan_head_size = 26;
constexpr std::uint16_t no_reading = 0xffff;
constexpr std::uint16_t no_echo = 0xfffe;
constexpr std::uint16_t farthest = 0xfffd;

std::uint16_t code_of(float range, float resolution) {
    if (std::isnan(range)) return no_reading;
    const float steps = std::round(range / resolution);
    if (steps > static_cast<float>(farthest)) return no_echo;
    return static_cast<std::uint16_t>(std::max(0.0F, steps));
}

float range_of(std::uint16_t code, float resolution) {
    if (code == no_reading) return std::numeric_limits<float>::quiet_NaN();
    if (code == no_echo) return std::numeric_limits<float>::infinity();
    return static_cast<float>(code) * resolution;
}

/// Appends the differences between neighboring codes. A difference of 0 is followed by the number of further
/// repeats.
void append_differences(Bytes& to, const Scan& scan, float resolution) {
    std::int64_t before = 0;
    for (std::size_t i = 0; i < scan.ranges.size();) {
        const std::int64_t code = code_of(scan.ranges[i++], resolution);
        append_varint(to, zigzag(code - before));
        if (code == before) {
            std::size_t more = 0;
            for (; i < scan.ranges.size() && code_of(scan.ranges[i], resolution) == code; ++i) ++more;
            append_varint(to, more);
        }
        before = code;
    }
}

std::unexpected<Error> malformed_scan(std::string_view what) {
    return fail(Code::malformed, fmt::format("no scan: {}", what));
}

/// Decodes the ranges of a delta encoding. Returns nullopt if the bytes do not contain exactly `count` of
/// them.
std::optional<std::vector<float>> read_differences(VarintReader& reader, std::size_t count,
                                                   float resolution) {
    std::vector<float> ranges;
    std::int64_t code = 0;
    while (ranges.size() < count) {
        const auto difference = reader.number();
        if (!difference) return std::nullopt;
        // Every valid difference is at most this large, so the sum cannot overflow.
        if (*difference > zigzag(no_reading)) return std::nullopt;
        code += unzigzag(*difference);
        if (code < 0 || code > no_reading) return std::nullopt;
        std::size_t times = 1;
        if (*difference == 0) {
            const auto more = reader.number();
            if (!more || *more >= count - ranges.size()) return std::nullopt;
            times += static_cast<std::size_t>(*more);
        }
        ranges.insert(ranges.end(), times, range_of(static_cast<std::uint16_t>(code), resolution));
    }
    return ranges;
}

constexpr std::size_t pose_size = 3 * sizeof(double);

void append_ranges(Bytes& to, const Scan& scan, ScanEncoding encoding, float resolution) {
    if (encoding == ScanEncoding::full) {
        for (const float range : scan.ranges) append_le(to, range);
        return;
    }
    append_le(to, resolution);
    if (encoding == ScanEncoding::delta)
        append_differences(to, scan, resolution);
    else
        for (const float range : scan.ranges) append_le(to, code_of(range, resolution));
}

/// Reads the beams, each of the size of a T, and leaves what follows them in `rest`. False: there are fewer.
template <class T, class RangeOf>
bool read_beams(ByteView& rest, std::size_t count, std::vector<float>& ranges, RangeOf range_of_value) {
    if (rest.size() < count * sizeof(T)) return false;
    for (std::size_t i = 0; i < count; ++i)
        ranges.push_back(range_of_value(load_le<T>(rest.data() + i * sizeof(T))));
    rest = rest.subspan(count * sizeof(T));
    return true;
}

/// Reads what encode_scan appends after the beams: nothing or a pose. False: it is neither.
bool read_pose(ByteView rest, std::optional<Pose>& pose) {
    if (rest.empty()) return true;
    if (rest.size() != pose_size) return false;
    pose = {load_le<double>(rest.data()), load_le<double>(rest.data() + 8),
            load_le<double>(rest.data() + 16)};
    return true;
}

}  // namespace

Bytes encode_scan(const Scan& scan, ScanEncoding encoding, float resolution) {
    check(scan.ranges.size() <= Scan::max_beams, "a scan has at most max_beams");
    check(resolution > 0, "a resolution is above 0");
    Bytes bytes;
    bytes.push_back(scan_mark);
    bytes.push_back(static_cast<std::byte>(encoding));
    append_le(bytes, scan.time);
    append_le(bytes, scan.first_angle);
    append_le(bytes, scan.angle_step);
    append_le(bytes, scan.reach);
    append_le(bytes, static_cast<std::uint32_t>(scan.ranges.size()));
    append_ranges(bytes, scan, encoding, resolution);
    if (scan.pose)
        for (const double value : {scan.pose->x, scan.pose->y, scan.pose->heading}) append_le(bytes, value);
    return bytes;
}

Result<Scan> decode_scan(ByteView bytes) {
    if (bytes.size() < scan_head_size || bytes[0] != scan_mark)
        return malformed_scan("it does not begin like one");
    const auto encoding = static_cast<ScanEncoding>(bytes[1]);
    Scan scan{.time = load_le<double>(&bytes[2]),
              .first_angle = load_le<float>(&bytes[10]),
              .angle_step = load_le<float>(&bytes[14]),
              .reach = load_le<float>(&bytes[18])};
    const std::size_t count = load_le<std::uint32_t>(&bytes[22]);
    if (count > Scan::max_beams)
        return malformed_scan(fmt::format("{} beams; there are at most {}", count, Scan::max_beams));
    ByteView rest = bytes.subspan(scan_head_size);
    if (encoding == ScanEncoding::full) {
        const auto same = [](float range) { return range; };
        if (!read_beams<float>(rest, count, scan.ranges, same) || !read_pose(rest, scan.pose))
            return malformed_scan("its length does not fit its beams");
        return scan;
    }
    if (encoding != ScanEncoding::quantised && encoding != ScanEncoding::delta)
        return malformed_scan(fmt::format("encoding {} is not known", std::to_underlying(encoding)));
    if (rest.size() < sizeof(float)) return malformed_scan("it has no resolution");
    const float resolution = load_le<float>(rest.data());
    if (!(resolution > 0) || !std::isfinite(resolution))
        return malformed_scan("its resolution is not above 0");
    rest = rest.subspan(sizeof(float));
    if (encoding == ScanEncoding::quantised) {
        const auto scaled = [resolution](std::uint16_t code) { return range_of(code, resolution); };
        if (!read_beams<std::uint16_t>(rest, count, scan.ranges, scaled) || !read_pose(rest, scan.pose))
            return malformed_scan("its length does not fit its beams");
        return scan;
    }
    VarintReader reader(rest);
    auto ranges = read_differences(reader, count, resolution);
    if (!ranges || !read_pose(rest.subspan(reader.offset()), scan.pose))
        return malformed_scan("its differences do not give its beams");
    scan.ranges = std::move(*ranges);
    return scan;
}

}  // namespace caribou::wire
