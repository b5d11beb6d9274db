#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "map/ros_map.hpp"

/// Arbitrary bytes, a description up to the first zero and an image after it. They must be refused with a
/// reason, or be the same after they were written again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::map;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(text.find('\0'), size);
    const auto info = ros_map_info_from(text.substr(0, end), "map.yaml");
    check(info || !info.error().message.empty(), "a refusal has a reason");
    if (info) check(ros_map_info_from(to_string(*info), "map.yaml").has_value(), "it is read as written");
    const auto grid =
        grid_from_pgm(text.substr(std::min(end + 1, size)), info.value_or(RosMapInfo{}), "map.pgm");
    if (!grid) {
        check(!grid.error().message.empty(), "a refusal has a reason");
        return 0;
    }
    const RosMapInfo plain{.image = "map.pgm", .resolution = grid->frame().cell, .low = grid->frame().low};
    const auto again = grid_from_pgm(to_pgm(*grid), plain, "map.pgm");
    check(again && again->all_odds() == grid->all_odds(), "a map is read as it was written");
    return 0;
}
