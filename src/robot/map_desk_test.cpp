#include "robot/map_desk.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/command_table.hpp"
#include "map/stored_map.hpp"
#include "robot/default_tree.hpp"
#include "robot/life_rig.hpp"
#include "robot/robot_rig.hpp"
#include "robot/view_picture.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::uint64_t mapped_room = 101;

std::string map_answer(const Result<std::string>& answer) {
    return answer ? *answer : answer.error().message;
}

/// A robot in a room, and its maps.
struct MappedRoom {
    explicit MappedRoom(MemoryMapStore& store,
                        const Pose& start = world::random_room(mapped_room).starts.at(0),
                        MapAtStart at_start = {}, std::string_view tree = default_tree())
        : desk(&store, log, std::move(at_start)), rig(plan_from(start), std::string(tree)) {}

    static world::WorldPlan plan_from(const Pose& start) {
        world::WorldPlan plan = world::random_room(mapped_room);
        plan.starts = {start};
        return plan;
    }
    std::string ask(std::string_view line, const std::string& may_load = "") {
        return map_answer(desk.run(line, rig.navigator(), may_load, rig.now()));
    }
    /// Returns the true pose in the frame of the map, whose origin is the charger.
    Pose truth() {
        return composed(frame_between({}, world::random_room(mapped_room).starts.at(0)), rig.world().pose(0));
    }
    void expect_true_pose() {
        const Pose& pose = rig.navigator().pose();
        EXPECT_LT(distance(position(pose), position(truth())), 0.1)
            << pose_text(pose) << " " << pose_text(truth());
        EXPECT_LT(std::abs(wrapped_angle(pose.heading - truth().heading)), 0.09);
    }

    NullLog log;
    MapDesk desk;
    LifeRig rig;
};

/// The map of the room, stored as `flat` after the robot has explored it.
MemoryMapStore explored_store() {
    MemoryMapStore store;
    MappedRoom first(store);
    first.rig.live(4min);
    EXPECT_EQ(first.ask("place kitchen at 1.5,-2,90"),
              "kitchen is at 1.50, -2.00, 90 degrees; `save NAME` stores that");
    EXPECT_THAT(first.ask("save flat"), StartsWith("flat is stored: "));
    EXPECT_THAT(first.ask("place desk at 1,0"), HasSubstr("and stored in flat"));
    return store;
}

TEST(MapDesk, FindsThePoseOnTheDock) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store);
    next.rig.live(300ms);
    ASSERT_TRUE(next.rig.navigator().on_charger());
    EXPECT_THAT(next.ask("load flat"),
                AllOf(StartsWith("flat is loaded; the robot is at "), HasSubstr(" % of the scan match")));
    EXPECT_EQ(next.desk.name(), "flat");
    next.expect_true_pose();
    EXPECT_THAT(next.ask("places"),
                AllOf(HasSubstr("dock: "),
                      HasSubstr("kitchen: 1.50, -2.00, 90 degrees\ndesk: 1.00, 0.00, 0 degrees")));
    // It lives on with that map.
    next.rig.live(2min);
    next.expect_true_pose();
    EXPECT_TRUE(next.rig.navigator().explored(next.rig.now()));
}

TEST(MapDesk, FindsThePoseNearAGivenOne) {
    MemoryMapStore store = explored_store();
    const world::WorldPlan plan = world::random_room(mapped_room);
    int found = 0;
    for (int i = 0; i < 64; ++i) {
        const Pose start{0.7 + 1.2 * (i % 8), 0.7 + 1.2 * (i / 8), 0.7 * i};
        if (!world::is_free(plan, position(start), 0.3)) continue;
        SCOPED_TRACE(pose_text(start));
        MappedRoom next(store, start);
        next.rig.live(300ms);
        const Pose truth = next.truth();
        const double side = i % 2 == 0 ? 1 : -1;
        EXPECT_THAT(next.ask(fmt::format("load flat at {},{},{}", truth.x + side * 0.3, truth.y - 0.3,
                                         (truth.heading - side * 0.35) * 180 / std::numbers::pi)),
                    StartsWith("flat is loaded"));
        next.expect_true_pose();
        ++found;
    }
    EXPECT_GE(found, 20);
}

TEST(MapDesk, FindsThePoseOnTheMapOfASingleScan) {
    MemoryMapStore store;
    MappedRoom flat(store);
    for (int i = 0; i < 50 && flat.rig.navigator().is_blank(); ++i) flat.rig.live(100ms);
    EXPECT_THAT(flat.ask("save flat"), StartsWith("flat is stored"));
    EXPECT_THAT(flat.ask("load flat at 0.1,-0.1,5"), StartsWith("flat is loaded"));
    flat.expect_true_pose();
}

TEST(MapDesk, RefusesAPlaceOutsideTheMap) {
    MemoryMapStore store;
    MappedRoom room(store);
    for (int i = 0; i < 50 && room.rig.navigator().is_blank(); ++i) room.rig.live(100ms);
    EXPECT_EQ(room.ask("place x at 99,99,0"),
              "99.00, 99.00 is outside the map, which extends from -12.00, -12.00 to 12.00, 12.00");
    EXPECT_THAT(room.ask("place x at 11.9,-11.9,0"), StartsWith("x is at 11.90, -11.90, 0 degrees"));
    EXPECT_THAT(room.ask("places"), Not(HasSubstr("99")));
}

TEST(MapDesk, KeepsThePresentMapIfTheRobotIsElsewhere) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store, {5, 5, 1});
    next.rig.live(5s);
    const auto before = next.rig.navigator().grid().all_odds();
    const Pose truth = next.truth();
    EXPECT_THAT(next.ask(fmt::format("load flat at {},{},{}", truth.x + 2, truth.y - 1.5, 77)),
                HasSubstr("the scan does not match the map near"));
    EXPECT_THAT(next.ask("load flat"),
                StartsWith("the robot is not on its dock; `load flat at X,Y,DEGREES`"));
    EXPECT_EQ(next.ask("load flat at 0,0,0", "it moves"), "it moves");
    EXPECT_EQ(next.rig.navigator().grid().all_odds(), before);
    EXPECT_EQ(next.desk.name(), "");
}

TEST(MapDesk, LoadsTheMapOfTheStart) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store, world::random_room(mapped_room).starts.at(0), {.name = "flat"});
    EXPECT_TRUE(next.desk.is_starting());
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(next.desk.start(next.rig.navigator(), next.rig.now()), "");
        next.rig.live(100ms);
    }
    EXPECT_FALSE(next.desk.is_starting());
    EXPECT_EQ(next.desk.name(), "flat");
    next.expect_true_pose();
}

TEST(MapDesk, GivesUpAStartAfterAWhile) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store, {5, 5, 1}, {.name = "flat", .pose = Pose{100, 100, 0}});
    std::string fault;
    for (const Instant end = next.rig.now() + MapDesk::start_limit + 1s;
         next.rig.now() < end && fault.empty();) {
        fault = next.desk.start(next.rig.navigator(), next.rig.now());
        next.rig.live(100ms);
    }
    EXPECT_THAT(fault,
                StartsWith("map: flat was not loaded: the scan does not match the map near 100.00, 100.00"));
    EXPECT_FALSE(next.desk.is_starting());
}

TEST(MapPlaces, AreWhereTheRobotGoesOnCommand) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store);
    next.rig.live(300ms);
    EXPECT_THAT(next.ask("load flat"), StartsWith("flat is loaded"));
    const Pose goal = next.rig.navigator().place("desk").value();
    next.rig.send_to(map::Place{"desk", goal});
    for (int i = 0; i < 1200 && next.rig.navigator().errand().arrivals == 0; ++i) next.rig.live(100ms);
    EXPECT_EQ(next.rig.navigator().errand().arrivals, 1U) << next.rig.navigator().errand().failure;
    EXPECT_LT(distance(position(next.truth()), position(goal)), 0.25);
    EXPECT_LT(std::abs(wrapped_angle(next.truth().heading - goal.heading)), 0.3);
}

TEST(MapPlaces, AreLostToTheCommandGoWhenTheyAreRemovedOrMoved) {
    MemoryMapStore store;
    MappedRoom flat(store);
    flat.rig.live(300ms);
    const auto losses = [&] { return flat.rig.navigator().errand().losses; };
    flat.ask("place desk at 1,0,0");
    flat.rig.send_to(map::Place{"desk", flat.rig.navigator().place("desk").value()});
    flat.ask("place moon at 5,5,0");
    flat.ask("place desk at 1,0,0");
    EXPECT_EQ(losses(), 0U) << "it is where it was";
    flat.ask("place desk at 1,0.5,0");
    EXPECT_EQ(losses(), 1U);
    EXPECT_EQ(flat.rig.navigator().errand().loss, "the place `desk` was moved");
    flat.ask("unplace desk");
    EXPECT_EQ(losses(), 2U);
    EXPECT_EQ(flat.rig.navigator().errand().loss, "the place `desk` was removed");
    flat.rig.send_to({});
    flat.ask("unplace moon");
    EXPECT_EQ(losses(), 2U);
}

TEST(MapPlaces, ThatCannotBeReachedAreReported) {
    MemoryMapStore store;
    MappedRoom flat(store);
    flat.rig.live(10s);
    flat.rig.send_to(map::Place{"moon", {1000, 0, 0}});
    flat.rig.live(5s);
    EXPECT_GE(flat.rig.navigator().errand().failed_tries, 3U);
    EXPECT_EQ(flat.rig.navigator().errand().failure, map::sentence(map::Plan::goal_outside));
    EXPECT_EQ(flat.rig.navigator().errand().arrivals, 0U);
}

TEST(MapPlaces, AreWayPointsOfATree) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store, world::random_room(mapped_room).starts.at(0), {}, R"({"base": "r", "behaviors": [
        {"class": "queue", "id": "r", "allowed_charging": true, "children": [
          {"class": "act", "id": "wait", "allowed_charging": true, "action": {"wait": "1s"}},
          {"class": "act", "id": "visit", "allowed_charging": true, "action": {"visit": "desk"}}]}]})");
    next.rig.live(300ms);
    next.rig.navigator().look(next.rig.now());
    EXPECT_THAT(next.ask("load flat"), StartsWith("flat is loaded"));
    next.rig.live(60s);
    EXPECT_LT(distance(position(next.truth()), position(next.rig.navigator().place("desk").value())), 0.25);
    for (const auto& [place, why] :
         {std::pair("dock", "the action `dock` goes there"), {"a b", "letters, digits"}}) {
        const std::string tree = fmt::format(
            R"({{"base": "r", "behaviors": [{{"class": "act", "id": "r", "action": {{"visit": "{}"}}}}]}})",
            place);
        try {
            const LifeRig wrong(world::random_room(mapped_room), tree);
            FAIL() << place;
        } catch (const std::exception& error) {
            EXPECT_THAT(error.what(), HasSubstr(why));
        }
    }
}

TEST(MapDesk, ListsAndDeletesMapsAndPlaces) {
    MemoryMapStore store;
    MappedRoom flat(store);
    EXPECT_EQ(flat.ask("place kitchen"), "there is no telemetry yet");
    flat.rig.live(1s);
    EXPECT_EQ(flat.ask("list"), "there are no stored maps");
    EXPECT_THAT(flat.ask("save flat"), StartsWith("flat is stored"));
    EXPECT_EQ(flat.ask("list"), "flat");
    EXPECT_EQ(flat.ask("load flta"), "there is no map `flta`; did you mean `flat`?");
    EXPECT_EQ(flat.ask("remove flta"), "there is no map `flta`; did you mean `flat`?");
    EXPECT_EQ(flat.ask("unplace sofa"), "there is no place `sofa`; there is `dock`");
    EXPECT_THAT(flat.ask("place sofa at 1,2"),
                HasSubstr("sofa is at 1.00, 2.00, 0 degrees, and stored in flat"));
    EXPECT_EQ(map::stored_map_from(store.maps.at("flat"))->places.size(), 1U);
    EXPECT_THAT(places_line(flat.rig.navigator()), HasSubstr("sofa=1.00,2.00,0"));
    EXPECT_THAT(places_json(flat.rig.navigator()),
                HasSubstr(R"("places":[{"name":"sofa","x":1.000,"y":2.000,"heading":0.0000}])"));
    EXPECT_THAT(flat.ask("unplace sofa"), HasSubstr("sofa is forgotten, and stored in flat"));
    EXPECT_EQ(flat.ask("remove flat"), "flat is deleted");
    EXPECT_THAT(flat.ask("place sofa"), HasSubstr("`save NAME` stores that"));
    store.maps["broken"] = "{";
    EXPECT_THAT(flat.ask("load broken at 0,0"), StartsWith("the map `broken`: "));
    store.maps["newer"] = R"({"version": 3})";
    EXPECT_EQ(flat.ask("load newer at 0,0"), "the map `newer`: its version is 3, this program reads up to 2");
}

TEST(MapZones, AreDrawnListedStoredAndForgotten) {
    MemoryMapStore store;
    MappedRoom flat(store);
    flat.rig.live(1s);
    EXPECT_EQ(flat.ask("zones"), "there are no zones");
    EXPECT_EQ(flat.ask("zone stairs keep_out 2,1 3.456,2"),
              "stairs is a keep-out zone; `save NAME` stores that");
    EXPECT_THAT(flat.ask("save flat"), StartsWith("flat is stored"));
    EXPECT_EQ(store.backups.size(), 0U);
    EXPECT_EQ(flat.ask("unzone stairs"), "the zone stairs is forgotten, and stored in flat");
    EXPECT_EQ(map::map_version_in(store.maps.at("flat")), 1);
    EXPECT_EQ(flat.ask("zone door speed 0.2 -1,0 0,0 0,1"),
              "door is a zone of at most 0.20 m/s, and stored in flat");
    EXPECT_EQ(map::map_version_in(store.backups.at("flat.1")), 1) << "the map before, for an earlier program";
    EXPECT_EQ(
        flat.ask("zone here keep_out -0.5,-0.5 0.5,0.5"),
        "here is a keep-out zone, and the robot is in it: it can only leave, slowly, and stored in flat");
    EXPECT_EQ(flat.ask("zones"),
              "door speed 0.20 -1.00,0.00 0.00,0.00 0.00,1.00\n"
              "here keep_out -0.50,-0.50 0.50,-0.50 0.50,0.50 -0.50,0.50");
    EXPECT_EQ(zone_from("door speed 0.20 -1.00,0.00 0.00,0.00 0.00,1.00"),
              flat.rig.navigator().zones()->front());
    EXPECT_EQ(zones_line(*flat.rig.navigator().zones()),
              "door speed 0.20 -1.00,0.00 0.00,0.00 0.00,1.00;"
              "here keep_out -0.50,-0.50 0.50,-0.50 0.50,0.50 -0.50,0.50");
    EXPECT_EQ(map::stored_map_from(store.maps.at("flat"))->zones, *flat.rig.navigator().zones());
    EXPECT_THAT(places_json(flat.rig.navigator()),
                HasSubstr(R"("zones":[{"name":"door","kind":"speed","speed":0.20,"corners":[[-1.00,0.00],)"));
    EXPECT_EQ(flat.ask("unzone dor"), "there is no zone `dor`; did you mean `door`?");
    MappedRoom next(store);
    next.rig.live(300ms);
    EXPECT_THAT(next.ask("load flat"), StartsWith("flat is loaded"));
    EXPECT_EQ(next.rig.navigator().zones()->size(), 2U);
}

TEST(MapZones, AreRefusedWithWhatToWrite) {
    MemoryMapStore store;
    MappedRoom flat(store);
    for (const char* const wrong : {"zone", "zone a", "zone a keep_in 0,0 1,1", "zone a keep_out 0,0 1",
                                    "zone a keep_out 0,0 1,1,1", "zone a speed 0,0 1,1", "zone a speed"})
        EXPECT_THAT(flat.ask(wrong), StartsWith("expected `NAME keep_out X,Y X,Y X,Y` or ")) << wrong;
    EXPECT_EQ(flat.ask("zone a keep_out 0,0"), "a zone needs at least 3 corners, found 1");
    EXPECT_EQ(flat.ask("zone a keep_out 0,0 0,1"), "the corners 1 and 2 are the same");
    EXPECT_THAT(flat.ask("zone a.b keep_out 0,0 1,1"), HasSubstr("letters, digits"));
    EXPECT_THAT(flat.ask("zone a speed 9 0,0 1,1"), HasSubstr("expected a speed from 0.05 to 5 m/s"));
    EXPECT_EQ(flat.ask("zoen a"), "there is no `zoen` for maps; did you mean `zone`?");
    for (std::size_t i = 0; i < Zone::max_zones; ++i)
        EXPECT_THAT(flat.ask(fmt::format("zone z{} speed 0.1 {},0 {},1", i, i, i + 1)), StartsWith("z"));
    EXPECT_THAT(flat.ask("zone more speed 0.1 0,0 1,1"), StartsWith("limit max_zones reached"));
}

TEST(MapZones, ThatAStartDoesNotLoadAreReported) {
    MemoryMapStore store = explored_store();
    {
        MappedRoom first(store);
        first.rig.live(300ms);
        first.ask("load flat");
        EXPECT_THAT(first.ask("zone stairs keep_out 2,1 3,2"), HasSubstr("and stored in flat"));
        EXPECT_THAT(first.ask("unplace desk"), HasSubstr("and stored in flat"));
    }
    store.maps["plain"] = store.maps["broken"] = "";
    const auto reports_of = [&](MappedRoom& room) {
        std::vector<std::string> reports;
        for (int i = 0; i < 10; ++i) {
            room.rig.live(100ms);
            if (std::string one = room.desk.start(room.rig.navigator(), room.rig.now()); !one.empty())
                reports.push_back(std::move(one));
        }
        return reports;
    };
    MappedRoom without(store);
    EXPECT_THAT(reports_of(without),
                ElementsAre(StartsWith("map: this start has no zones; stored ones are not "
                                       "in effect: 1 of the map flat. ")));
    MappedRoom with(store, world::random_room(mapped_room).starts.at(0), {.name = "flat"});
    EXPECT_THAT(reports_of(with), testing::IsEmpty());
    EXPECT_EQ(with.rig.navigator().zones()->size(), 1U);
}

TEST(MapZones, AreNotReplacedByOnesOfTheSameName) {
    MemoryMapStore store;
    MappedRoom flat(store);
    EXPECT_THAT(flat.ask("zone z1 keep_out 3,3 4,4"), StartsWith("z1 is a keep-out zone"));
    EXPECT_EQ(flat.ask("zone z1 speed 0.3 5,5 6,6"),
              "there is another zone `z1`: z1 keep_out 3.00,3.00 4.00,3.00 4.00,4.00 3.00,4.00; `unzone z1` "
              "forgets it");
    EXPECT_EQ(flat.ask("zones"), "z1 keep_out 3.00,3.00 4.00,3.00 4.00,4.00 3.00,4.00");
    EXPECT_THAT(flat.ask("zone z1 keep_out 3,3 4,4"), StartsWith("z1 is a keep-out zone")) << "the same one";
    EXPECT_THAT(flat.ask("unzone z1"), StartsWith("the zone z1 is forgotten"));
    EXPECT_THAT(flat.ask("zone z1 speed 0.3 5,5 6,6"), StartsWith("z1 is a zone of at most 0.30 m/s"));
}

/// The robot explores the whole room, and drives to a place, with a zone in its way.
TEST(MapZones, AreObeyedByPathsAndWheels) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store);
    next.rig.live(300ms);
    EXPECT_THAT(next.ask("load flat"), StartsWith("flat is loaded"));
    const Pose desk = next.rig.navigator().place("desk").value();
    const auto go = [&](std::string_view zone, const Pose& goal) {
        EXPECT_THAT(next.ask(zone), HasSubstr("zone"));
        next.rig.send_to(map::Place{"desk", goal});
        const Zone& drawn = next.rig.navigator().zones()->back();
        double nearest = 10;
        double fastest = 0;
        const auto before = next.rig.navigator().errand();
        for (int i = 0; i < 1200 && next.rig.navigator().errand().arrivals == before.arrivals &&
                        next.rig.navigator().errand().failed_tries == before.failed_tries;
             ++i) {
            next.rig.live(100ms);
            const double gap = signed_distance(drawn.corners, position(next.truth()));
            nearest = std::min(nearest, gap);
            // It may have moved when the zone was drawn.
            if (gap < 0 && i > 2) fastest = std::max(fastest, std::abs(next.rig.motion().driven.right));
        }
        next.rig.send_to({});
        EXPECT_THAT(next.ask("unzone " + drawn.name), HasSubstr("forgotten"));
        next.rig.live(500ms);
        return std::pair(nearest, fastest);
    };
    const double radius = next.rig.body().radius;
    const auto [stairs, _] = go("zone stairs keep_out 0.45,-0.12 0.6,0.12", desk);
    EXPECT_GT(stairs, radius) << "its hull went through the zone";
    EXPECT_GE(next.rig.navigator().errand().arrivals, 1U) << next.rig.navigator().errand().failure;
    const auto inside = go("zone slow speed 0.1 -3,-3 3,3", {0.3, 0, 0});
    EXPECT_LE(inside.second, 0.1 + 1e-9);
    EXPECT_GT(inside.second, 0.05);
    // A goal in a zone is refused with that reason.
    go("zone desk_zone keep_out 0.8,-0.3 1.3,0.3", desk);
    EXPECT_THAT(next.rig.navigator().errand().failure, HasSubstr("keep-out zone"));
    EXPECT_TRUE(next.rig.audit().findings().empty());
}

TEST(MapZones, DoNotMakeTheRobotForgetTheDockThatTheyCutOff) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store);
    next.rig.live(300ms);
    EXPECT_THAT(next.ask("load flat"), StartsWith("flat is loaded"));
    next.rig.live(40s);
    Navigator& navigator = next.rig.navigator();
    ASSERT_FALSE(navigator.on_charger());
    const auto fails_to_dock = [&] {
        EXPECT_FALSE(navigator.go_to({0, 0}, next.rig.now()));
        navigator.docking_failed(navigator.why_not());
        EXPECT_TRUE(navigator.dock()) << navigator.why_not();
        return navigator.dock_failure();
    };
    next.ask("zone dock_zone keep_out -0.6,-0.6 0.6,0.6");
    EXPECT_EQ(fails_to_dock(), "the goal is in a keep-out zone");
    next.ask("unzone dock_zone");
    next.ask("zone here keep_out -30,-30 30,30");
    EXPECT_EQ(fails_to_dock(), "it is in the keep-out zone here: drive it out, or forget the zone");
    EXPECT_TRUE(navigator.needs_way_out(next.rig.now()));
    next.ask("unzone here");
    EXPECT_TRUE(navigator.go_to({0, 0}, next.rig.now())) << navigator.why_not();
}

TEST(MapZones, AreLeftByARobotThatTheyWereDrawnOver) {
    MemoryMapStore store = explored_store();
    MappedRoom next(store);
    next.rig.live(300ms);
    EXPECT_THAT(next.ask("load flat"), StartsWith("flat is loaded"));
    next.rig.live(40s);
    Navigator& navigator = next.rig.navigator();
    const double radius = next.rig.body().radius;
    const auto draw = [&](double left, double right, double below, double above) {
        const Vec2 at = position(navigator.pose());
        next.ask(fmt::format("zone here keep_out {:.2f},{:.2f} {:.2f},{:.2f}", at.x - left, at.y - below,
                             at.x + right, at.y + above));
        EXPECT_EQ(navigator.closed_in(), "here");
        EXPECT_FALSE(navigator.needs_way_out(next.rig.now()));
    };
    const auto leaves = [&] {
        bool was_seen_leaving = false;
        for (int i = 0; i < 600 && !navigator.closed_in().empty(); ++i) {
            next.rig.live(100ms);
            was_seen_leaving |= navigator.leaves_zone(next.rig.now());
        }
        EXPECT_EQ(navigator.closed_in(), "");
        EXPECT_TRUE(was_seen_leaving);
        const Zone& zone = navigator.zones()->front();
        EXPECT_GT(signed_distance(zone.corners, position(next.truth())), radius - 0.05);
        next.rig.live(10s);
        EXPECT_FALSE(navigator.leaves_zone(next.rig.now()));
        EXPECT_EQ(navigator.closed_in(), "") << "it does not go back";
        EXPECT_THAT(next.ask("unzone here"), HasSubstr("forgotten"));
    };
    // By itself, on its walk; and on its way to a place, which it then goes to.
    draw(0.5, 0.4, 0.6, 0.6);
    leaves();
    draw(0.6, 0.6, 0.5, 0.4);
    const Pose desk = navigator.place("desk").value();
    next.rig.send_to(map::Place{"desk", desk});
    leaves();
    for (int i = 0; i < 600 && navigator.errand().arrivals == 0; ++i) next.rig.live(100ms);
    EXPECT_EQ(navigator.errand().arrivals, 1U) << navigator.errand().failure;
    EXPECT_TRUE(next.rig.audit().findings().empty());
}

TEST(MapDesk, StoresOnlySoManyMaps) {
    MemoryMapStore store;
    MappedRoom flat(store);
    EXPECT_EQ(flat.ask("save flat"), "the map is empty: there is no scan yet");
    flat.rig.live(1s);
    for (std::size_t i = 0; i < MapDesk::max_maps; ++i) store.maps[fmt::format("map_{}", i)] = "";
    EXPECT_EQ(flat.ask("save one_more"), "limit max_maps reached: 65 of at most 64 maps; remove one first");
    EXPECT_THAT(flat.ask("save map_7"), StartsWith("map_7 is stored"));
}

TEST(MapDesk, RefusesWrongLinesWithWhatToWrite) {
    MemoryMapStore store;
    MappedRoom flat(store);
    EXPECT_EQ(flat.ask("laod flat"), "there is no `laod` for maps; did you mean `load`?");
    EXPECT_EQ(flat.ask("load"), "expected `load NAME [at X,Y,DEGREES]`, found `load`");
    EXPECT_EQ(flat.ask("save a b"), "expected `save NAME`, found `save a b`");
    EXPECT_EQ(flat.ask("list all"), "expected `list`, found `list all`");
    EXPECT_EQ(flat.ask("load a at here"), "expected X,Y,DEGREES such as `1.5,2,90`, found `here`");
    EXPECT_THAT(flat.ask("save ../a"), HasSubstr("letters, digits"));
    EXPECT_THAT(flat.ask("place dock"), HasSubstr("`dock` is the name of the charger's place"));
    EXPECT_THAT(flat.ask("help"), HasSubstr("load NAME [at X,Y,DEGREES]: "));
    NullLog log;
    MapDesk none(nullptr, log);
    EXPECT_EQ(map_answer(none.run("list", flat.rig.navigator(), "", flat.rig.now())),
              "this robot stores no maps");
}

TEST(MapPose, IsReadAsPeopleWriteIt) {
    EXPECT_EQ(pose_from("1.5,-2"), (Pose{1.5, -2, 0}));
    EXPECT_NEAR(pose_from("0,0,-90")->heading, -std::numbers::pi / 2, 1e-9);
    for (const char* const wrong : {"", "1", "1,", "a,2", "1,2,3,4", "1,2,3,", "1e9,0"})
        EXPECT_FALSE(pose_from(wrong)) << wrong;
}

TEST(MapCommand, DrawsAZoneThatPropulsionObeysForAPerson) {
    RobotRig rig;
    rig.has_map = true;
    rig.make(rig.config.send_port);
    rig.start_connected();
    rig.loop.advance(1s);
    const auto driven = [&] {
        EXPECT_THAT(rig.tell("drive forward=0.2"), ElementsAre(StartsWith("DONE")));  // for 0.5 s
        rig.loop.advance(250ms);
        return rig.body.driven.right;
    };
    EXPECT_GT(driven(), 0.05);
    EXPECT_THAT(rig.tell("map line=\"zone stairs keep_out -0.3,-2 3,2\""),
                ElementsAre(StartsWith("DONE: stairs is a keep-out zone, and the robot is in it")));
    EXPECT_EQ(driven(), 0.0);
    EXPECT_EQ(rig.propulsion->report().reason, motion::MotionReason::zone_stop);
    EXPECT_THAT(rig.tell("map line=\"unzone stairs\""), ElementsAre(StartsWith("DONE")));
    EXPECT_GT(driven(), 0.05);
}

TEST(MapCommand, ReportsAKeepOutZoneThatTheRobotCannotLeave) {
    RobotRig rig;
    rig.has_map = true;
    rig.make(rig.config.send_port);
    rig.start_connected();
    EXPECT_THAT(rig.tell("set_run_mode mode=2"), testing::Contains(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("map line=\"zone st keep_out -20,-20 20,20\""), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(5s);
    const std::string report = "it is in the keep-out zone st: drive it out, or forget the zone";
    EXPECT_EQ(
        std::ranges::count_if(rig.station.errors, [&](const auto& each) { return each.contains(report); }),
        1);
    EXPECT_THAT(
        rig.tell("behaviors line=doing"),
        ElementsAre(HasSubstr("Waiting: it is in the keep-out zone st. Drive it out, or forget the zone.")));
}

TEST(MapCommand, GoNeedsAMapAndAPlace) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("go place=kitchen"), ElementsAre(StartsWith("UNAVAILABLE: this robot has no map")));
    EXPECT_THAT(rig.tell("go place=dock"), ElementsAre(StartsWith("ACCEPTED: on its way to the dock")));
    EXPECT_THAT(rig.tell("go place=kitchen"), ElementsAre(StartsWith("BUSY: it is on its way to the dock")));
}

/// Makes it a connected robot whose map has the place `kitchen`, to which no behavior goes.
void add_kitchen(RobotRig& rig) {
    rig.has_map = true;
    rig.make(rig.config.send_port);
    rig.start_connected();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("map line=\"place kitchen at 1,2\""),
                ElementsAre(StartsWith("DONE: kitchen is at 1.00, 2.00")));
}

TEST(MapCommand, GoLeavesServerModeAndReturnsToIt) {
    RobotRig rig;
    add_kitchen(rig);
    EXPECT_THAT(rig.tell("go place=kitchne"),
                ElementsAre("BAD_ARGUMENT: there is no place `kitchne`; did you mean `kitchen`?"));
    EXPECT_THAT(rig.tell("go place=kitchen", 1005),
                ElementsAre(StartsWith("ACCEPTED: on its way to kitchen (RM3 -> RM2: ")));
    EXPECT_TRUE(rig.robot->ai().facts().holds("go_wanted"));
    EXPECT_THAT(rig.tell("go place=kitchen"), ElementsAre("BUSY: it is on its way to kitchen"));
    EXPECT_THAT(rig.tell("dock"), ElementsAre("BUSY: it is on its way to kitchen"));
    rig.loop.advance(link::dock_limit);
    EXPECT_THAT(rig.station.answers_to(1005),
                ElementsAre(StartsWith("ACCEPTED"),
                            "FAILED: it did not reach kitchen within 4min: no behavior went there"));
    EXPECT_FALSE(rig.robot->ai().facts().holds("go_wanted"));
    EXPECT_EQ(rig.mode(), link::RunMode::rm3);
    EXPECT_THAT(rig.tell("go place=kitchen"), ElementsAre(StartsWith("ACCEPTED")));
}

TEST(MapCommand, SaysThatTheTreeHasNoReaction) {
    RobotRig rig;
    add_kitchen(rig);
    EXPECT_THAT(rig.tell("go place=kitchen"),
                ElementsAre(EndsWith("; the present tree names neither the fact `go_wanted` nor the action "
                                     "`go`, and may ignore this")));
    rig.tell("set_run_mode mode=3");
    EXPECT_THAT(rig.tell("dock"), ElementsAre(HasSubstr("neither the fact `dock_wanted` nor")));
    rig.tell("set_run_mode mode=3");
    rig.tree_text = R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r", "children": [
        {"class": "idle", "wants": {"or": [{"fact": "stuck"}, {"fact": "go_wanted"}]}},
        {"class": "idle", "wants": {"expr": "battery < 20 or dock_wanted"}}]}]})";
    EXPECT_THAT(rig.tell("behaviors line=reload"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(200ms);
    EXPECT_THAT(rig.tell("go place=kitchen"),
                ElementsAre(AllOf(StartsWith("ACCEPTED"), Not(HasSubstr("ignore")))));
    rig.tell("set_run_mode mode=3");
    EXPECT_THAT(rig.tell("dock"), ElementsAre(AllOf(StartsWith("ACCEPTED"), Not(HasSubstr("ignore")))));
}

TEST(MapCommand, OnlyTheFirstOfTwoGoesLeads) {
    RobotRig rig;
    add_kitchen(rig);
    EXPECT_THAT(rig.tell("map line=\"place desk at 2,2\""), ElementsAre(StartsWith("DONE")));
    const auto first = rig.station.send("go place=kitchen", 1005);
    const auto second = rig.station.send("go place=desk", 1006);
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.station.answers_to(first), ElementsAre(StartsWith("ACCEPTED: on its way to kitchen")));
    EXPECT_THAT(rig.station.answers_to(second), ElementsAre("BUSY: it is on its way to kitchen"));
}

TEST(MapCommand, GoEndsByAFullStopAndByAModeChange) {
    RobotRig rig;
    add_kitchen(rig);
    EXPECT_THAT(rig.tell("go place=kitchen", 1005), ElementsAre(StartsWith("ACCEPTED")));
    rig.tell("full_stop");
    rig.loop.advance(1s);
    EXPECT_THAT(rig.station.answers_to(1005),
                ElementsAre(StartsWith("ACCEPTED"), StartsWith("STOPPED: a full stop (")));
    EXPECT_THAT(rig.tell("go place=kitchen"), ElementsAre(StartsWith("STOPPED: it is stopped (")));
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("go place=kitchen", 1007), ElementsAre(StartsWith("ACCEPTED")));
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.station.answers_to(1007),
                ElementsAre(StartsWith("ACCEPTED"), StartsWith("FAILED: canceled by RM2 -> RM3")));
    EXPECT_FALSE(rig.robot->ai().facts().holds("go_wanted"));
}

TEST(MapCommand, NeedsAMap) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("map line=list"), ElementsAre(StartsWith("UNAVAILABLE: this robot has no map")));
}

}  // namespace
}  // namespace caribou::robot
