#include "world/terrain.hpp"

#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"

namespace caribou::world {
namespace {

/// Reference implementation of a beam by ray marching: slow, but simple.
double march(const Terrain& terrain, const std::vector<Terrain::Round>& rounds, Vec2 from, Vec2 way,
             double reach) {
    double at = 0;
    while (at <= reach) {
        double gap = Terrain::no_echo;
        const Vec2 here = from + way * at;
        for (const Terrain::Side& side : terrain.sides())
            gap = std::min(gap, distance(nearest_on(side, here), here));
        for (const Terrain::Round& round : rounds)
            if (round.present && round.seen == Terrain::Seen::by_beams)
                gap = std::min(gap, std::max(0.0, distance(round.at, here) - round.radius));
        if (gap < 1e-7) return at;
        at += gap;
    }
    return Terrain::no_echo;
}

RC_GTEST_PROP(Terrain, ABeamEndsWhereAMarchEnds, ()) {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    WorldPlan plan;
    plan.size = {3 + random.unit() * 9, 3 + random.unit() * 9};
    const auto place = [&] { return Vec2{random.unit() * plan.size.x, random.unit() * plan.size.y}; };
    for (std::uint64_t i = random.below(12); i > 0; --i) plan.walls.push_back({place(), place()});
    Terrain terrain(plan);
    std::vector<Terrain::Round> rounds;
    for (std::uint64_t i = random.below(8); i > 0; --i) {
        Terrain::Round round{.at = place(), .radius = 0.05 + random.unit() * 0.6};
        const std::size_t index = terrain.add_round(round);
        round.at = place();
        terrain.move_round(index, round.at);
        round.present = random.chance(0.8);
        terrain.set_present(index, round.present);
        rounds.push_back(round);
    }
    for (int beam = 0; beam < 50; ++beam) {
        const Vec2 from = place();
        const Vec2 way =
            towards(random.chance(0.2) ? static_cast<double>(random.below(4)) * std::numbers::pi / 2
                                       : random.unit() * 7);
        const double reach = 0.5 + random.unit() * 12;
        const double cast = terrain.cast(from, way, reach);
        const double marched = march(terrain, rounds, from, way, reach);
        // Marching stops just before an object that the beam nearly grazes; a cast that ends farther away has
        // passed it.
        if (std::abs(cast - marched) < 1e-4 || cast == marched) continue;
        RC_ASSERT(marched != Terrain::no_echo);
        const Vec2 near = from + way * marched;
        double gap = Terrain::no_echo;
        for (const Terrain::Side& side : terrain.sides())
            gap = std::min(gap, distance(nearest_on(side, near), near));
        for (const Terrain::Round& round : rounds)
            if (round.present) gap = std::min(gap, std::abs(distance(round.at, near) - round.radius));
        RC_ASSERT(cast > marched && gap > 0);
    }
}

RC_GTEST_PROP(Terrain, FindsEveryRoundThatOverlapsOnce, ()) {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    WorldPlan plan;
    Terrain terrain(plan);
    const auto place = [&] { return Vec2{random.unit() * 10, random.unit() * 10}; };
    for (int i = 0; i < 30; ++i) {
        const std::size_t index = terrain.add_round({.at = place(), .radius = 0.05 + random.unit()});
        terrain.move_round(index, place());
    }
    for (int i = 0; i < 20; ++i) {
        const Vec2 at = place();
        const double radius = random.unit();
        std::vector<std::size_t> found;
        terrain.each_round_near(at, radius, 3, [&](std::size_t index) { found.push_back(index); });
        std::vector<std::size_t> expected;
        for (std::size_t index = 0; index < 30; ++index)
            if (index != 3 && distance(terrain.round(index).at, at) < radius + terrain.round(index).radius)
                expected.push_back(index);
        std::ranges::sort(found);
        RC_ASSERT(found == expected);
    }
}

/// Returns whether a robot's center can get from one place to the other, in steps of 0.1 m.
bool reaches(const WorldPlan& plan, Vec2 from, Vec2 to, double radius) {
    constexpr double step = 0.1;
    std::set<std::pair<int, int>> known;
    std::vector<std::pair<int, int>> open{{0, 0}};
    while (!open.empty()) {
        const auto [column, row] = open.back();
        open.pop_back();
        const Vec2 at = from + Vec2{column * step, row * step};
        if (!is_free(plan, at, radius) || !known.insert({column, row}).second) continue;
        if (distance(at, to) < 2 * step) return true;
        for (const auto& [x, y] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            open.emplace_back(column + x, row + y);
    }
    return false;
}

RC_GTEST_PROP(RandomRoom, LeavesAWayToEverythingInIt, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const WorldPlan plan = random_room(seed);
    RC_ASSERT(plan.starts.size() == 1U && plan.charger && plan.cubes.size() == 2U);
    RC_ASSERT(plan == random_room(seed));
    for (const CubePlace& cube : plan.cubes) RC_ASSERT(reaches(plan, position(plan.starts[0]), cube.at, 0.2));
    RC_ASSERT(reaches(plan, position(plan.starts[0]), position(plan.charger->pose), 0.2));
}

}  // namespace
}  // namespace caribou::world
