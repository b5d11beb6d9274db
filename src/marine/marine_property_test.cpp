// Properties of what the marine view reads and of the simulated vehicle, for arbitrary inputs.

#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "marine/node_report.hpp"
#include "marine/scene.hpp"
#include "marine/shape.hpp"
#include "marine/vehicle.hpp"
#include "marine/waypoints.hpp"

namespace caribou::marine {
namespace {

/// Returns a number with at most so many decimals.
rc::Gen<double> decimal(int low, int high, int decimals) {
    const int scale = decimals == 2 ? 100 : 10;
    return rc::gen::map(rc::gen::inRange(low * scale, high * scale + 1),
                        [scale](int value) { return static_cast<double>(value) / scale; });
}

std::string any_number() { return fmt::format("{}", *decimal(-500, 500, 2)); }

std::string any_vertices(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += fmt::format("{}{},{}", i == 0 ? "" : ":", *decimal(-500, 500, 1), *decimal(-500, 500, 1));
    return text;
}

/// Returns the fields that a kind requires, with any values.
std::string any_required_fields(ShapeKind kind) {
    const auto with = [](std::initializer_list<std::string_view> names) {
        std::string text;
        for (const std::string_view name : names)
            text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, any_number());
        return text;
    };
    switch (kind) {
        case ShapeKind::seglist:
        case ShapeKind::seglr: return "pts={" + any_vertices(*rc::gen::inRange(1, 6)) + "}";
        case ShapeKind::polygon: return "pts={" + any_vertices(*rc::gen::inRange(1, 5)) + "}";
        case ShapeKind::circle: return with({"x", "y", "radius"});
        case ShapeKind::oval: return with({"x", "y", "rad", "len", "ang"});
        case ShapeKind::wedge: return with({"x", "y", "rad_low", "rad_hgh", "ang_low", "ang_hgh"});
        case ShapeKind::arrow: return with({"ctrx", "ctry", "ang"});
        case ShapeKind::vector: return with({"x", "y", "ang", "mag"});
        case ShapeKind::comms_pulse: return with({"sx", "sy", "tx", "ty"});
        default: return with({"x", "y"});
    }
}

std::string any_common_fields() {
    std::string text;
    const auto maybe = [&](std::string_view name, const std::string& value) {
        if (*rc::gen::arbitrary<bool>()) text += fmt::format(",{}={}", name, value);
    };
    maybe("label", *rc::gen::element<std::string>("a", "two words", "x-1"));
    maybe("msg", *rc::gen::element<std::string>("hello", "b"));
    maybe("active", *rc::gen::element<std::string>("true", "false"));
    maybe("edge_color", *rc::gen::element<std::string>("white", "dodger_blue", "invisible", "0.5:0:1"));
    maybe("vertex_size", fmt::format("{}", *decimal(0, 20, 1)));
    maybe("duration", fmt::format("{}", *decimal(-1, 90, 2)));
    maybe("unknown", "7");
    return text;
}

RC_GTEST_PROP(MarineProperty, AShapeThatIsWrittenIsReadAsTheSame, ()) {
    const auto kind = ShapeKind(*rc::gen::inRange(0, static_cast<int>(ShapeKind::comms_pulse) + 1));
    RC_PRE(kind != ShapeKind::textbox);  // refuses unknown fields
    const auto shape = parse_shape(kind, any_required_fields(kind) + any_common_fields());
    RC_PRE(shape.has_value());  // a polygon must be convex, a radius positive
    const std::string written = to_string(*shape);
    const auto again = parse_shape(kind, written);
    RC_ASSERT(again.has_value());
    RC_ASSERT(to_string(*again) == written);
    RC_ASSERT(again->label == shape->label && again->active == shape->active);
    RC_ASSERT(again->points.size() == shape->points.size());
    for (std::size_t i = 0; i < shape->points.size(); ++i)
        RC_ASSERT(distance(again->points[i], shape->points[i]) < 0.2);
}

RC_GTEST_PROP(MarineProperty, ANodeReportThatIsWrittenIsReadAsTheSame, ()) {
    NodeReport report{.name = *rc::gen::element<std::string>("abe", "ben_2"),
                      .x = *decimal(-9000, 9000, 2),
                      .y = *decimal(-9000, 9000, 2),
                      .speed = *decimal(0, 9, 2),
                      .heading = *decimal(0, 359, 2),
                      .time = *decimal(0, 9'000'000, 2)};
    if (*rc::gen::arbitrary<bool>()) report.depth = *decimal(0, 90, 2);
    if (*rc::gen::arbitrary<bool>()) report.mode = "MODE@ACTIVE:LOITERING";
    if (*rc::gen::arbitrary<bool>()) report.index = *rc::gen::inRange(0U, 100'000U);
    if (*rc::gen::arbitrary<bool>()) report.other.emplace_back("RIDER", "x");
    const auto again = parse_node_report(to_string(report));
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == report);
}

/// A view of the identity of shapes: the same community, kind and label replaces; `active=false` erases.
RC_GTEST_PROP(MarineProperty, ASceneHoldsTheLatestShapeOfEachIdentity, ()) {
    Scene scene(std::nullopt, {"NODE_REPORT"}, 10);
    std::map<std::string, double> expected;  // x by key
    const int count = *rc::gen::inRange(1, 60);
    for (int i = 0; i < count; ++i) {
        const auto community = *rc::gen::element<std::string>("abe", "ben");
        const auto kind = *rc::gen::element(ShapeKind::point, ShapeKind::circle, ShapeKind::marker);
        const auto label = *rc::gen::element<std::string>("a", "b", "c");
        const bool is_active = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
        const std::string text =
            fmt::format("x={},y=0,radius=3,label={}{}", i, label, is_active ? "" : ",active=false");
        const auto event = scene.apply({shape_variable(kind), text, community, "p", 1000});
        RC_ASSERT(event.has_value());
        const std::string key = fmt::format("{}/{}/{}", community, to_string(kind), label);
        if (is_active)
            expected[key] = i;
        else
            expected.erase(key);
    }
    RC_ASSERT(scene.shape_count() == expected.size());
    for (const data::MarineEvent& event : scene.everything()) {
        RC_ASSERT(event.shape.has_value());
        RC_ASSERT(expected.at(event.shape->key) == event.shape->points.at(0).x);
    }
}

RC_GTEST_PROP(MarineProperty, AVehicleStaysWithinWhatItCanDo, ()) {
    Vehicle vehicle({.thrust_map = ThrustMap::parse("20:1, 40:2, 100:5", 20, true).value()}, {});
    double time = 1000;
    const int count = *rc::gen::inRange(1, 100);
    for (int i = 0; i < count; ++i) {
        vehicle.order_thrust(*rc::gen::inRange(-300, 300));
        vehicle.order_rudder(*rc::gen::inRange(-300, 300), Instant(from_seconds(time)));
        vehicle.order_elevator(*rc::gen::inRange(-300, 300));
        if (*rc::gen::inRange(0, 10) == 0) vehicle.set_reverse(*rc::gen::arbitrary<bool>());
        const double dt = *decimal(0, 2, 2);
        const VehicleState before = vehicle.state();
        vehicle.step(dt);
        time += dt;
        const VehicleState& state = vehicle.state();
        RC_ASSERT(std::abs(state.speed) <= 5);
        RC_ASSERT(state.heading >= 0 && state.heading < 360);
        RC_ASSERT(state.depth >= 0 && std::isfinite(state.depth) && std::isfinite(state.pitch));
        RC_ASSERT(distance(state.position(), before.position()) <= 5 * dt + 1e-9);
    }
}

/// However a vehicle moves, way-points are passed in order, and in the end as often as configured.
RC_GTEST_PROP(MarineProperty, WayPointsArePassedInOrder, ()) {
    WaypointSettings settings;
    const auto size = *rc::gen::inRange<std::size_t>(1, 5);
    for (std::size_t i = 0; i < size; ++i)
        settings.points.push_back({*decimal(-50, 50, 1), *decimal(-50, 50, 1)});
    settings.repeat = *rc::gen::inRange<std::uint64_t>(0, 3);
    settings.lead = *decimal(-1, 9, 1);
    settings.capture_line = *rc::gen::arbitrary<bool>();
    Waypoints waypoints(settings);
    std::uint64_t passed = 0;
    for (int i = 0; i < 200 && !waypoints.done(); ++i) {
        const bool goes_there = *rc::gen::inRange(0, 3) > 0;
        const Vec2 position =
            goes_there ? waypoints.next() : Vec2{*decimal(-60, 60, 1), *decimal(-60, 60, 1)};
        const auto steered = waypoints.steer(position);
        RC_ASSERT(steered.has_value() == !waypoints.done());
        RC_ASSERT(waypoints.captured() <= waypoints.passed());
        RC_ASSERT(waypoints.passed() >= passed && waypoints.rounds() <= *settings.repeat + 1);
        passed = waypoints.passed();
        if (!waypoints.done()) RC_ASSERT(waypoints.index() == passed % size);
    }
    if (waypoints.done()) RC_ASSERT(passed == size * (*settings.repeat + 1));
}

}  // namespace
}  // namespace caribou::marine
