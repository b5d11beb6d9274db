#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "world/world_plan.hpp"

namespace caribou::world {
namespace {

/// Minimum distance between objects that do not touch a common wall, so that every corner stays reachable.
constexpr double passage = 0.8;

double distance_between(const Area& a, const Area& b) {
    const double x = std::max({0.0, a.low.x - b.high.x, b.low.x - a.high.x});
    const double y = std::max({0.0, a.low.y - b.high.y, b.low.y - a.high.y});
    return std::hypot(x, y);
}

Area around(Vec2 at, double radius) {
    return {{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}};
}

class RoomMaker {
public:
    RoomMaker(std::uint64_t seed, double side) : random_(seed), side_(side) {
        plan_.name = "room " + std::to_string(seed);
        plan_.seed = seed;
        plan_.size = {side, side};
    }

    WorldPlan make() {
        place_charger();
        const auto pieces = static_cast<int>(side_ * side_ / 6);
        for (int i = 0; i < pieces / 8 + 1; ++i) try_partition();
        for (int i = 0; i < pieces; ++i) {
            try_box();
            try_obstacle();
        }
        for (const char* name : {"cube one", "cube two"}) place_cube(name);
        return std::move(plan_);
    }

private:
    /// Returns a number rounded to two decimals, for readable files.
    double between(double low, double high) {
        return std::round((low + (high - low) * random_.unit()) * 100) / 100;
    }

    /// Places the charger near a wall, facing along it, and the start at the same pose.
    void place_charger() {
        const double along = between(1.2, side_ - 1.2);
        const std::array<Pose, 4> places{{{along, 0.6, 0},
                                          {side_ - 0.6, along, std::numbers::pi / 2},
                                          {along, side_ - 0.6, std::numbers::pi},
                                          {0.6, along, -std::numbers::pi / 2}}};
        const Pose& pose = places[random_.below(4)];
        plan_.charger = Charger{pose};
        plan_.starts.push_back(pose);
        taken_.push_back(around(position(pose), 0.6));
    }

    bool fits(const Area& area) const {
        const bool inside =
            area.low.x >= 0 && area.low.y >= 0 && area.high.x <= side_ && area.high.y <= side_;
        const auto keeps_passage = [&](double low, double high) {
            return (low == 0 || low >= passage) && (high == side_ || high <= side_ - passage);
        };
        return inside && keeps_passage(area.low.x, area.high.x) && keeps_passage(area.low.y, area.high.y) &&
               std::ranges::all_of(
                   taken_, [&](const Area& other) { return distance_between(area, other) >= passage; });
    }

    /// Tries to add a wall that extends into the room.
    void try_partition() {
        const double at = between(2, side_ - 2);
        const double reach = between(1.5, side_ / 2);
        const std::array<Area, 4> places{{{{at, 0}, {at, reach}},
                                          {{at, side_ - reach}, {at, side_}},
                                          {{0, at}, {reach, at}},
                                          {{side_ - reach, at}, {side_, at}}}};
        const Area& place = places[random_.below(4)];
        if (!fits(place)) return;
        plan_.walls.push_back({place.low, place.high});
        taken_.push_back(place);
    }

    void try_box() {
        const Vec2 size{between(0.3, 1.4), between(0.3, 1.4)};
        Vec2 low{between(0, side_ - size.x), between(0, side_ - size.y)};
        if (random_.chance(0.5)) (random_.chance(0.5) ? low.x : low.y) = 0;
        const Area box{low, low + size};
        if (!fits(box)) return;
        plan_.boxes.push_back(box);
        taken_.push_back(box);
    }

    void try_obstacle() {
        const double radius = between(0.08, 0.3);
        const Vec2 at{between(passage, side_ - passage), between(passage, side_ - passage)};
        if (!fits(around(at, radius))) return;
        plan_.obstacles.push_back({at, radius, random_.chance(0.25)});
        taken_.push_back(around(at, radius));
    }

    void place_cube(const char* name) {
        for (int i = 0; i < 1000; ++i) {
            const Vec2 at{between(0.5, side_ - 0.5), between(0.5, side_ - 0.5)};
            if (!is_free(plan_, at, 0.4) || distance(at, position(plan_.charger->pose)) < 1.5) continue;
            plan_.cubes.push_back({name, at});
            return;
        }
    }

    Random random_;
    double side_;
    WorldPlan plan_;
    std::vector<Area> taken_;
};

}  // namespace

WorldPlan random_room(std::uint64_t seed, double side) { return RoomMaker(seed, side).make(); }

}  // namespace caribou::world
