#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "base/pose.hpp"
#include "base/result.hpp"
#include "base/zone.hpp"
#include "loop/time.hpp"
#include "robot/map_store.hpp"
#include "robot/navigator.hpp"

namespace caribou::robot {

/// A map to load as soon as there is a scan.
struct MapAtStart {
    std::string name{};          ///< empty: none
    std::optional<Pose> pose{};  ///< of the robot on it; nullopt: it is on its dock
};

/// Executes the lines of the command `map`: saves and loads maps by name, and names places and zones on the
/// present one. All on the strand of the navigator.
class MapDesk {
public:
    /// Stored maps of a robot at most; a further name is refused.
    static constexpr std::size_t max_maps = 64;
    /// For which a start looks for its pose, from the first telemetry on.
    static constexpr Duration start_limit = std::chrono::seconds(10);

    /// `store` may be null: maps cannot be stored. Both must outlive this object.
    MapDesk(MapStore* store, Log& log, MapAtStart at_start = {});

    /// `may_load` is empty if the map may be replaced at present, otherwise the reason why not.
    Result<std::string> run(std::string_view line, Navigator& navigator, const std::string& may_load,
                            Instant now);
    /// Loads the map of the start. For every tick. Returns, once, why it is given up, or which stored maps
    /// have zones if the robot has started without any; empty otherwise.
    std::string start(Navigator& navigator, Instant now);
    /// Returns whether that is under way: behaviors should not move yet.
    bool is_starting() const { return !at_start_.name.empty(); }
    /// Returns the name of the present map; empty if it was neither loaded nor saved.
    const std::string& name() const { return name_; }

private:
    Result<std::string> save(const std::string& name, Navigator& navigator);
    /// Copies a stored map of an earlier version than the text that is to replace it.
    Result<void> back_up(const std::string& name, std::string_view text);
    Result<std::string> load(const std::string& name, std::optional<Pose> at, Navigator& navigator,
                             Instant now);
    Result<std::string> list() const;
    Result<std::string> remove(const std::string& name);
    Result<std::string> add_place(const std::string& name, std::optional<Pose> at, Navigator& navigator);
    Result<std::string> remove_place(const std::string& name, Navigator& navigator);
    Result<std::string> add_zone(std::string_view words, Navigator& navigator);
    Result<std::string> remove_zone(const std::string& name, Navigator& navigator);
    /// Returns which stored maps have zones that are not in effect after the start, as soon as all are read.
    std::string missing_zones(const Navigator& navigator);
    /// Stores a change of the present map under its name. Returns a text about that.
    Result<std::string> keep(Navigator& navigator, const std::string& change);

    MapStore* store_;
    Log& log_;
    MapAtStart at_start_;
    std::optional<Instant> start_until_;
    Instant next_try_ = Instant::min();
    std::string name_;
    std::optional<std::vector<std::string>> unread_;  ///< names of stored maps; nullopt before the start
    std::vector<std::string> zoned_;                  ///< those with zones, as texts
};

/// Parses `X,Y,DEGREES`, in meters and degrees to the left of the x axis; the degrees are 0 if not given.
Result<Pose> pose_from(std::string_view text);
/// Returns `1.20, 3.40, 90 degrees`.
std::string pose_text(const Pose& pose);
/// Parses `NAME keep_out X,Y X,Y X,Y…` or `NAME speed M/S X,Y X,Y X,Y…`, in meters. Two corners are those of
/// a rectangle along the axes. Coordinates are rounded to centimeters.
Result<Zone> zone_from(std::string_view text);
/// Returns such a text, which zone_from() parses.
std::string zone_text(const Zone& zone);
/// Returns the places of the map, one per line.
std::string places_text(const Navigator& navigator);
/// Returns them in one line, for the bus: `kitchen=1.50,2.00,90;…`.
std::string places_line(const Navigator& navigator);
/// Returns them in one line, for the bus: `stairs keep_out 2.00,1.00 …;door speed 0.15 …`.
std::string zones_line(const std::vector<Zone>& zones);

}  // namespace caribou::robot
