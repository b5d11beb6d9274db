#include "map/stored_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/limits.hpp"
#include "base/number_text.hpp"
#include "base/path_name.hpp"
#include "data/json.hpp"
#include "data/stored_map.hpp"
#include "map/zone_data.hpp"

namespace caribou::map {
namespace {

static_assert(StoredMap::newest == 2, "a newer version needs a reader of the one before");

Result<void> check_version(const JsonNode& root) {
    const JsonNode* const version = root.find("version");
    if (!version || !version->is(JsonNode::Kind::number))
        return fail(Code::malformed, "`version` is missing");
    if (version->number > StoredMap::newest)
        return fail(Code::refused, fmt::format("its version is {}, this program reads up to {}",
                                               version->number, StoredMap::newest));
    if (version->number != StoredMap::newest && version->number != StoredMap::without_zones)
        return fail(Code::malformed, fmt::format("there is no version {}", version->number));
    return {};
}

Result<std::vector<std::int8_t>> odds_of(const data::StoredMap& stored) {
    const std::size_t size = std::size_t{stored.columns} * stored.rows;
    if (size > StoredMap::max_cells)
        return fail(Code::limit_exceeded, limit_reached("max_cells", size, StoredMap::max_cells, "cells"));
    std::vector<std::int8_t> odds;
    odds.reserve(size);
    if (stored.runs.size() % 2 != 0) return fail(Code::malformed, "runs: the last value has no count");
    for (std::size_t i = 0; i < stored.runs.size(); i += 2) {
        const std::int32_t value = stored.runs[i];
        const std::int32_t count = stored.runs[i + 1];
        if (value < OccupancyGrid::least_odds || value > OccupancyGrid::most_odds)
            return fail(Code::malformed,
                        fmt::format("runs[{}]: expected a number from {} to {}, found {}", i,
                                    OccupancyGrid::least_odds, OccupancyGrid::most_odds, value));
        if (count < 1 || static_cast<std::size_t>(count) > size - odds.size())
            return fail(Code::malformed, fmt::format("runs[{}]: {} cells do not fit", i + 1, count));
        odds.insert(odds.end(), static_cast<std::size_t>(count), static_cast<std::int8_t>(value));
    }
    if (odds.size() != size)
        return fail(Code::malformed, fmt::format("runs: expected {} cells, found {}", size, odds.size()));
    return odds;
}

constexpr double most_heading = 2 * std::numbers::pi;  // rad

bool is_near(double x, double y) { return std::abs(x) <= farthest && std::abs(y) <= farthest; }

std::unexpected<Error> no_heading(std::string_view whose, double heading) {
    return fail(Code::malformed,
                fmt::format("{}: expected a heading from -2 pi to 2 pi, found {}", whose, heading));
}

Result<std::vector<Place>> places_of(const data::StoredMap& stored) {
    std::vector<Place> places;
    for (const data::NamedPlace& place : stored.places) {
        if (const auto good = check_place_name(place.name); !good)
            return fail(Code::malformed, "places: " + good.error().message);
        if (std::ranges::find(places, place.name, &Place::name) != places.end())
            return fail(Code::malformed, fmt::format("places: `{}` is there twice", place.name));
        if (!is_near(place.x, place.y))
            return fail(Code::malformed, fmt::format("places: `{}` is not on the map", place.name));
        if (std::abs(place.heading) > most_heading)
            return no_heading("places: `" + place.name + "`", place.heading);
        places.push_back({place.name, {place.x, place.y, place.heading}});
    }
    return places;
}

}  // namespace

Result<void> check_place_name(std::string_view name) {
    if (name == dock_name)
        return fail(Code::invalid_argument,
                    "`dock` is the name of the charger's place, which the robot finds itself");
    return check_path_name(name);
}

Result<std::string> file_text_of(const StoredMap& map) {
    const GridFrame& frame = map.grid.frame();
    if (frame.size() > StoredMap::max_cells)
        return fail(Code::limit_exceeded,
                    limit_reached("max_cells", frame.size(), StoredMap::max_cells, "cells"));
    data::StoredMap stored{.version = map.zones.empty() ? StoredMap::without_zones : StoredMap::newest,
                           .resolution = frame.cell,
                           .columns = static_cast<std::uint32_t>(frame.columns),
                           .rows = static_cast<std::uint32_t>(frame.rows),
                           .origin = {frame.low.x, frame.low.y},
                           .dock = map.dock};
    for (const std::int8_t odds : map.grid.all_odds()) {
        if (stored.runs.empty() || stored.runs[stored.runs.size() - 2] != odds)
            stored.runs.insert(stored.runs.end(), {odds, 0});
        ++stored.runs.back();
    }
    if (stored.runs.size() > 2 * StoredMap::max_runs)
        return fail(Code::limit_exceeded,
                    limit_reached("max_runs", stored.runs.size() / 2, StoredMap::max_runs, "runs"));
    for (const Place& place : map.places)
        stored.places.push_back({place.name, place.pose.x, place.pose.y, place.pose.heading});
    stored.zones = zones_data(map.zones);
    std::string text = data::to_json(stored);
    // As the version before.
    constexpr std::string_view none = R"(,"zones":[])";
    if (map.zones.empty()) text.erase(text.rfind(none), none.size());
    return text + "\n";
}

Result<StoredMap> stored_map_from(std::string_view file_text) {
    const auto root = read_json(
        file_text, {.bytes = StoredMap::max_bytes, .depth = 8, .values = 2 * StoredMap::max_runs + 10'000});
    if (!root) return fail(Code::malformed, root.error().message);
    if (const auto known = check_version(*root); !known) return fail(known.error());
    const auto stored = data::from_json<data::StoredMap>(*root, "map");
    if (!stored) return fail(stored.error());
    if (stored->columns == 0 || stored->rows == 0 || !(stored->resolution > 0))
        return fail(Code::malformed, "`columns`, `rows` or `resolution` is missing");
    if (!is_near(stored->origin.x, stored->origin.y) ||
        (stored->dock && !is_near(stored->dock->x, stored->dock->y)))
        return fail(Code::malformed,
                    fmt::format("`origin` and `dock` have to be within {:.0f} m of 0, 0", farthest));
    if (stored->dock && std::abs(stored->dock->heading) > most_heading)
        return no_heading("dock", stored->dock->heading);
    auto odds = odds_of(*stored);
    if (!odds) return fail(odds.error());
    auto places = places_of(*stored);
    if (!places) return fail(places.error());
    auto zones = zones_from(stored->zones);
    if (!zones) return fail(zones.error());
    return StoredMap{.grid = OccupancyGrid({.low = {stored->origin.x, stored->origin.y},
                                            .cell = stored->resolution,
                                            .columns = static_cast<std::int32_t>(stored->columns),
                                            .rows = static_cast<std::int32_t>(stored->rows)},
                                           std::move(*odds)),
                     .dock = stored->dock,
                     .places = std::move(*places),
                     .zones = std::move(*zones)};
}

std::optional<int> map_version_in(std::string_view file_text) {
    constexpr std::string_view begin = R"({"version":)";
    if (!file_text.starts_with(begin)) return std::nullopt;
    const auto number = number_in(file_text.substr(begin.size(), file_text.find(',') - begin.size()));
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace caribou::map
