#include "robot/map_desk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/number_text.hpp"
#include "base/path_name.hpp"
#include "base/suggestion.hpp"
#include "base/words.hpp"
#include "map/stored_map.hpp"

namespace caribou::robot {
namespace {

constexpr double degree = std::numbers::pi / 180;

constexpr std::string_view map_help =
    "save NAME: store the present map under this name\n"
    "load NAME [at X,Y,DEGREES]: replace the map by a stored one; without `at` the robot is on its dock\n"
    "list: the stored maps\n"
    "remove NAME: delete a stored map\n"
    "place NAME [at X,Y,DEGREES]: name a place; without `at` it is where the robot is\n"
    "unplace NAME: forget the place\n"
    "places: the places of the present map\n"
    "zone NAME keep_out X,Y X,Y X,Y…: the robot stays out of this polygon; two corners are a rectangle\n"
    "zone NAME speed M/S X,Y X,Y X,Y…: it is no faster in this one\n"
    "unzone NAME: forget the zone\n"
    "zones: the zones of the present map";

/// The words of a line: `VERB [NAME] [at POSE]`.
struct MapLine {
    std::string verb;
    std::string name{};
    std::optional<Pose> at{};
};

struct MapVerb {
    std::string_view word;
    bool has_name;
    bool has_pose;
};
constexpr std::array<MapVerb, 10> map_verbs{{{"save", true, false},
                                             {"load", true, true},
                                             {"list", false, false},
                                             {"remove", true, false},
                                             {"place", true, true},
                                             {"unplace", true, false},
                                             {"places", false, false},
                                             {"unzone", true, false},
                                             {"zones", false, false},
                                             {"help", false, false}}};

Result<MapLine> map_line_from(std::string_view text) {
    const std::vector<std::string> words = words_in(text);
    MapLine line{.verb = words.empty() ? "" : words[0]};
    const auto* const verb = std::ranges::find(map_verbs, line.verb, &MapVerb::word);
    if (verb == map_verbs.end()) {
        std::vector<std::string> known;
        for (const MapVerb& each : map_verbs) known.emplace_back(each.word);
        known.emplace_back("zone");
        return fail(Code::invalid_argument,
                    fmt::format("there is no `{}` for maps{}", line.verb, instead_of(line.verb, known)));
    }
    const std::size_t least = verb->has_name ? 2 : 1;
    const bool has_pose = verb->has_pose && words.size() == least + 2 && words[least] == "at";
    if (words.size() != least && !has_pose)
        return fail(Code::invalid_argument,
                    fmt::format("expected `{}{}{}`, found `{}`", verb->word, verb->has_name ? " NAME" : "",
                                verb->has_pose ? " [at X,Y,DEGREES]" : "", text));
    if (verb->has_name) line.name = words[1];
    if (has_pose) {
        const auto pose = pose_from(words[least + 1]);
        if (!pose) return fail(pose.error());
        line.at = *pose;
    }
    return line;
}

/// Returns the numbers between commas; nullopt if one is none, or beyond the limit of coordinates.
std::optional<std::vector<double>> numbers_in(std::string_view text) {
    std::vector<double> numbers;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        const auto number = number_in(rest.substr(0, comma));
        if (!number || std::abs(*number) > map::farthest) return std::nullopt;
        numbers.push_back(*number);
        if (comma == std::string_view::npos) return numbers;
        rest = rest.substr(comma + 1);
    }
}

double whole_centimeters(double meters) { return std::round(meters * 100) / 100; }

int whole_degrees(const Pose& pose) { return static_cast<int>(std::lround(pose.heading / degree)); }

Result<void> check_on_map(const map::Place& place, const map::GridFrame& frame) {
    if (frame.contains(frame.cell_at(position(place.pose)))) return {};
    return fail(Code::invalid_argument,
                fmt::format("{:.2f}, {:.2f} is outside the map, which extends from {:.2f}, {:.2f} to {:.2f}, "
                            "{:.2f}",
                            place.pose.x, place.pose.y, frame.low.x, frame.low.y,
                            frame.low.x + frame.columns * frame.cell, frame.low.y + frame.rows * frame.cell));
}

/// The dock among them, if it is known.
std::vector<map::Place> all_places(const Navigator& navigator) {
    std::vector<map::Place> all;
    if (navigator.dock()) all.push_back({std::string(map::dock_name), *navigator.dock()});
    all.insert(all.end(), navigator.places().begin(), navigator.places().end());
    return all;
}

std::string zones_text(const Navigator& navigator) {
    std::string text;
    for (const Zone& zone : *navigator.zones()) text += (text.empty() ? "" : "\n") + zone_text(zone);
    return text.empty() ? "there are no zones" : text;
}

}  // namespace

Result<Pose> pose_from(std::string_view text) {
    std::array<double, 3> numbers{};
    std::size_t count = 0;
    for (std::string_view rest = text;; ++count) {
        const std::size_t comma = rest.find(',');
        const auto number = count < numbers.size() ? number_in(rest.substr(0, comma)) : std::nullopt;
        if (!number || std::abs(*number) > map::farthest) break;
        numbers[count] = *number;
        if (comma == std::string_view::npos) {
            if (count == 0) break;
            return Pose{numbers[0], numbers[1], wrapped_angle(numbers[2] * degree)};
        }
        rest = rest.substr(comma + 1);
    }
    return fail(Code::invalid_argument,
                fmt::format("expected X,Y,DEGREES such as `1.5,2,90`, found `{}`", text));
}

std::string pose_text(const Pose& pose) {
    return fmt::format("{:.2f}, {:.2f}, {} degrees", pose.x, pose.y, whole_degrees(pose));
}

Result<Zone> zone_from(std::string_view text) {
    const std::vector<std::string> words = words_in(text);
    const auto wrong = [&] {
        return fail(Code::invalid_argument,
                    fmt::format("expected `NAME keep_out X,Y X,Y X,Y` or `NAME speed M/S X,Y X,Y X,Y`, with "
                                "two corners of a rectangle or more of a polygon, found `{}`",
                                text));
    };
    if (words.size() < 2 || (words[1] != "keep_out" && words[1] != "speed")) return wrong();
    Zone zone{.name = words[0], .kind = words[1] == "speed" ? ZoneKind::speed : ZoneKind::keep_out};
    std::size_t next = 2;
    if (zone.kind == ZoneKind::speed) {
        const auto speed = words.size() > next ? number_in(words[next]) : std::nullopt;
        if (!speed) return wrong();
        zone.speed = whole_centimeters(*speed);
        ++next;
    }
    for (; next < words.size(); ++next) {
        const auto numbers = numbers_in(words[next]);
        if (!numbers || numbers->size() != 2) return wrong();
        zone.corners.push_back({whole_centimeters((*numbers)[0]), whole_centimeters((*numbers)[1])});
    }
    if (zone.corners.size() == 2) {
        const Vec2 from = zone.corners[0];
        const Vec2 to = zone.corners[1];
        zone.corners = {from, {to.x, from.y}, to, {from.x, to.y}};
    }
    if (const auto good = check_zone(zone); !good) return fail(good.error());
    return zone;
}

std::string zone_text(const Zone& zone) {
    std::string text = zone.name + ' ' + std::string(to_string(zone.kind));
    if (zone.kind == ZoneKind::speed) text += fmt::format(" {:.2f}", zone.speed);
    for (const Vec2 corner : zone.corners) text += fmt::format(" {:.2f},{:.2f}", corner.x, corner.y);
    return text;
}

std::string places_text(const Navigator& navigator) {
    std::string text;
    for (const map::Place& place : all_places(navigator))
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", place.name, pose_text(place.pose));
    return text.empty() ? "there are no places" : text;
}

std::string places_line(const Navigator& navigator) {
    std::string line;
    for (const map::Place& place : all_places(navigator))
        line += fmt::format("{}{}={:.2f},{:.2f},{}", line.empty() ? "" : ";", place.name, place.pose.x,
                            place.pose.y, whole_degrees(place.pose));
    return line;
}

std::string zones_line(const std::vector<Zone>& zones) {
    std::string line;
    for (const Zone& zone : zones) line += (line.empty() ? "" : ";") + zone_text(zone);
    return line;
}

MapDesk::MapDesk(MapStore* store, Log& log, MapAtStart at_start)
    : store_(store), log_(log), at_start_(std::move(at_start)) {}

Result<std::string> MapDesk::run(std::string_view text, Navigator& navigator, const std::string& may_load,
                                 Instant now) {
    if (const std::string_view verb = text.substr(0, text.find(' ')); verb == "zone")
        return add_zone(text.substr(verb.size()), navigator);
    const auto line = map_line_from(text);
    if (!line) return fail(line.error());
    if (line->verb == "help") return std::string(map_help);
    if (line->verb == "places") return places_text(navigator);
    if (line->verb == "place") return add_place(line->name, line->at, navigator);
    if (line->verb == "unplace") return remove_place(line->name, navigator);
    if (line->verb == "zones") return zones_text(navigator);
    if (line->verb == "unzone") return remove_zone(line->name, navigator);
    if (!store_) return fail(Code::unavailable, "this robot stores no maps");
    if (line->verb == "list") return list();
    if (const auto good = check_path_name(line->name); !good) return fail(good.error());
    if (line->verb == "save") return save(line->name, navigator);
    if (line->verb == "remove") return remove(line->name);
    if (!may_load.empty()) return fail(Code::wrong_state, may_load);
    return load(line->name, line->at, navigator, now);
}

Result<std::string> MapDesk::save(const std::string& name, Navigator& navigator) {
    if (navigator.is_blank()) return fail(Code::unavailable, "the map is empty: there is no scan yet");
    const auto names = store_->names();
    if (!names) return fail(names.error());
    if (names->size() >= max_maps && std::ranges::find(*names, name) == names->end())
        return fail(Code::limit_exceeded,
                    limit_reached("max_maps", names->size() + 1, max_maps, "maps") + "; remove one first");
    const auto text = map::file_text_of(navigator.stored_map());
    if (!text) return text;
    if (const auto kept = back_up(name, *text); !kept) return fail(kept.error());
    if (const auto saved = store_->save(name, *text); !saved) return fail(saved.error());
    name_ = name;
    log_.info(fmt::format("map: {} is stored", name));
    return fmt::format("{} is stored: {} KiB", name, (text->size() + 1023) / 1024);
}

Result<void> MapDesk::back_up(const std::string& name, std::string_view text) {
    const auto before = store_->load(name);
    const auto version = before ? map::map_version_in(*before) : std::nullopt;
    if (!version || version >= map::map_version_in(text)) return {};
    return store_->back_up(name, *version);
}

Result<std::string> MapDesk::load(const std::string& name, std::optional<Pose> at, Navigator& navigator,
                                  Instant now) {
    const auto text = store_->load(name);
    if (!text && text.error().code == Code::not_found) {
        const auto names = store_->names();
        return fail(Code::not_found,
                    fmt::format("there is no map `{}`{}", name, names ? instead_of(name, *names) : ""));
    }
    if (!text) return text;
    auto stored = map::stored_map_from(*text);
    if (!stored)
        return fail(stored.error().code, fmt::format("the map `{}`: {}", name, stored.error().message));
    if (!at && !navigator.on_charger())
        return fail(
            Code::wrong_state,
            fmt::format("the robot is not on its dock; `load {} at X,Y,DEGREES` states where it is", name));
    if (!at && !stored->dock)
        return fail(
            Code::wrong_state,
            fmt::format("the map `{0}` has no dock; `load {0} at X,Y,DEGREES` states where the robot is",
                        name));
    if (!at) at = stored->dock;
    const auto match = navigator.load_map(std::move(*stored), *at, now);
    if (!match) return fail(match.error());
    name_ = name;
    std::string done =
        fmt::format("{} is loaded; the robot is at {} ({})", name, pose_text(match->pose),
                    match->score > 0 ? fmt::format("{:.0f} % of the scan match", 100 * match->score)
                                     : "not confirmed, without a lidar");
    log_.info("map: " + done);
    return done;
}

Result<std::string> MapDesk::list() const {
    const auto names = store_->names();
    if (!names) return fail(names.error());
    if (names->empty()) return std::string("there are no stored maps");
    return fmt::format("{}", fmt::join(*names, "\n"));
}

Result<std::string> MapDesk::remove(const std::string& name) {
    if (const auto removed = store_->remove(name); !removed) {
        const auto names = store_->names();
        if (removed.error().code != Code::not_found || !names) return fail(removed.error());
        return fail(Code::not_found, fmt::format("there is no map `{}`{}", name, instead_of(name, *names)));
    }
    if (name_ == name) name_.clear();
    return fmt::format("{} is deleted", name);
}

Result<std::string> MapDesk::add_place(const std::string& name, std::optional<Pose> at,
                                       Navigator& navigator) {
    if (const auto good = map::check_place_name(name); !good) return fail(good.error());
    if (!at && !navigator.odometry()) return fail(Code::unavailable, "there is no telemetry yet");
    std::vector<map::Place> places = navigator.places();
    const map::Place place{name, at.value_or(navigator.pose())};
    if (const auto good = check_on_map(place, navigator.grid().frame()); !good) return fail(good.error());
    if (const auto known = std::ranges::find(places, name, &map::Place::name); known != places.end())
        *known = place;
    else if (places.size() < map::max_places)
        places.push_back(place);
    else
        return fail(Code::limit_exceeded,
                    limit_reached("max_places", places.size() + 1, map::max_places, "places"));
    navigator.set_places(std::move(places));
    return keep(navigator, fmt::format("{} is at {}", name, pose_text(place.pose)));
}

Result<std::string> MapDesk::remove_place(const std::string& name, Navigator& navigator) {
    if (const auto good = map::check_place_name(name); !good) return fail(good.error());
    if (const auto known = navigator.place(name); !known) return fail(known.error());
    std::vector<map::Place> places = navigator.places();
    std::erase_if(places, [&](const map::Place& each) { return each.name == name; });
    navigator.set_places(std::move(places));
    return keep(navigator, fmt::format("{} is forgotten", name));
}

Result<std::string> MapDesk::add_zone(std::string_view words, Navigator& navigator) {
    auto zone = zone_from(words);
    if (!zone) return fail(zone.error());
    std::vector<Zone> zones = *navigator.zones();
    // To replace it would silently open the place where it is.
    if (const auto known = std::ranges::find(zones, zone->name, &Zone::name); known != zones.end()) {
        if (*known != *zone)
            return fail(Code::already_exists,
                        fmt::format("there is another zone `{0}`: {1}; `unzone {0}` forgets it", zone->name,
                                    zone_text(*known)));
        zones.erase(known);
    }
    if (zones.size() >= Zone::max_zones)
        return fail(Code::limit_exceeded,
                    limit_reached("max_zones", zones.size() + 1, Zone::max_zones, "zones"));
    const bool is_inside = signed_distance(zone->corners, position(navigator.pose())) < 0;
    std::string change =
        zone->kind == ZoneKind::speed
            ? fmt::format("{} is a zone of at most {:.2f} m/s", zone->name, zone->speed)
            : fmt::format("{} is a keep-out zone{}", zone->name,
                          is_inside ? ", and the robot is in it: it can only leave, slowly" : "");
    zones.push_back(std::move(*zone));
    navigator.set_zones(std::move(zones));
    return keep(navigator, change);
}

Result<std::string> MapDesk::remove_zone(const std::string& name, Navigator& navigator) {
    std::vector<Zone> zones = *navigator.zones();
    if (std::erase_if(zones, [&](const Zone& each) { return each.name == name; }) == 0) {
        std::vector<std::string> known;
        for (const Zone& zone : zones) known.push_back(zone.name);
        return fail(Code::not_found,
                    fmt::format("there is no zone `{}`{}", name,
                                known.empty() ? "; the map has none" : instead_of(name, known)));
    }
    navigator.set_zones(std::move(zones));
    return keep(navigator, fmt::format("the zone {} is forgotten", name));
}

Result<std::string> MapDesk::keep(Navigator& navigator, const std::string& change) {
    if (name_.empty() || !store_) return change + "; `save NAME` stores that";
    if (const auto saved = save(name_, navigator); !saved)
        return fail(saved.error().code,
                    fmt::format("{}, but that is not stored: {}", change, saved.error().message));
    return fmt::format("{}, and stored in {}", change, name_);
}

std::string MapDesk::missing_zones(const Navigator& navigator) {
    if (!unread_) {
        const auto names = store_ ? store_->names() : std::vector<std::string>();
        unread_ = names ? *names : std::vector<std::string>();
    }
    if (!name_.empty() || !navigator.zones()->empty()) {  // a person knows of them
        unread_->clear();
        zoned_.clear();
    }
    // One in a tick, because maps are large.
    if (!unread_->empty()) {
        const std::string name = std::move(unread_->back());
        unread_->pop_back();
        const auto text = store_->load(name);
        const auto stored = text ? map::stored_map_from(*text) : fail(text.error());
        if (stored && !stored->zones.empty())
            zoned_.insert(zoned_.begin(), fmt::format("{} of the map {}", stored->zones.size(), name));
    }
    if (!unread_->empty() || zoned_.empty()) return {};
    const auto zoned = std::exchange(zoned_, {});
    std::string report = fmt::format(
        "map: this start has no zones; stored ones are not in effect: {}. Load the map in RM3 (`map` with "
        "`load NAME`), or name it as map.load in the configuration",
        fmt::join(zoned, ", "));
    log_.warning(report);
    return report;
}

std::string MapDesk::start(Navigator& navigator, Instant now) {
    if (!navigator.odometry()) return {};
    if (at_start_.name.empty()) return missing_zones(navigator);
    if (now < next_try_) return {};
    if (!start_until_) start_until_ = now + start_limit;
    next_try_ = now + std::chrono::milliseconds(500);
    const auto loaded = store_ ? load(at_start_.name, at_start_.pose, navigator, now)
                               : fail(Code::unavailable, "this robot stores no maps");
    // A scan may be distorted, and the charger takes a moment to report.
    const bool is_final = loaded || loaded.error().code == Code::malformed ||
                          loaded.error().code == Code::refused || now >= *start_until_;
    if (!is_final) return {};
    const std::string name = std::exchange(at_start_, {}).name;
    if (loaded) return {};
    std::string fault = fmt::format("map: {} was not loaded: {}", name, loaded.error().message);
    log_.error(fault);
    return fault;
}

}  // namespace caribou::robot
