#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pose.hpp"
#include "base/result.hpp"
#include "base/zone.hpp"
#include "map/grid.hpp"
#include "map/place.hpp"

namespace caribou::map {

/// A map and what belongs to it, as stored in a file (docs/formats/map.md).
struct StoredMap {
    static constexpr int newest = 2;
    /// Of a map without zones, so that earlier programs read it. They would drive through zones.
    static constexpr int without_zones = 1;
    static constexpr std::size_t max_cells = 4'000'000;  ///< as many as a station can show
    static constexpr std::size_t max_runs = 250'000;     ///< of equal cells
    static constexpr std::size_t max_bytes = 8 << 20;    ///< of the text

    OccupancyGrid grid;
    std::optional<Pose> dock{};
    std::vector<Place> places{};
    std::vector<Zone> zones{};
};

/// Returns a text that stored_map_from() accepts. Fails with Code::limit_exceeded if the map has more than
/// max_cells or max_runs.
Result<std::string> file_text_of(const StoredMap& map);
/// Fails with Code::malformed if the text is not such a map, and with Code::refused if it was written by a
/// newer version.
Result<StoredMap> stored_map_from(std::string_view file_text);
/// Returns the version of such a text from its first bytes; nullopt if it has none.
std::optional<int> map_version_in(std::string_view file_text);

}  // namespace caribou::map
