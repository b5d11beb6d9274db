#include "map/zone_data.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace caribou::map {
namespace {

double hundredths(double number) { return std::round(number * 100) / 100; }

}  // namespace

std::vector<data::MapZone> zones_data(std::span<const Zone> zones) {
    std::vector<data::MapZone> made;
    for (const Zone& zone : zones)
        made.push_back(
            {.name = zone.name,
             .kind = zone.kind == ZoneKind::speed ? data::ZoneKind::speed : data::ZoneKind::keep_out,
             .speed = zone.speed,
             .corners = zone.corners});
    return made;
}

Result<std::vector<Zone>> zones_from(std::span<const data::MapZone> zones) {
    if (zones.size() > Zone::max_zones)
        return fail(Code::malformed, limit_reached("max_zones", zones.size(), Zone::max_zones, "zones"));
    std::vector<Zone> made;
    for (const data::MapZone& zone : zones) {
        Zone read{.name = zone.name};
        if (zone.kind == data::ZoneKind::speed) {
            read.kind = ZoneKind::speed;
            read.speed = hundredths(zone.speed);
        }
        for (const Vec2 corner : zone.corners)
            read.corners.push_back({hundredths(corner.x), hundredths(corner.y)});
        if (const auto good = check_zone(read); !good)
            return fail(Code::malformed, fmt::format("zones: `{}`: {}", zone.name, good.error().message));
        if (std::ranges::find(made, zone.name, &Zone::name) != made.end())
            return fail(Code::malformed, fmt::format("zones: `{}` is there twice", zone.name));
        made.push_back(std::move(read));
    }
    return made;
}

}  // namespace caribou::map
