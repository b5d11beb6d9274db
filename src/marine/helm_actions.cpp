#include <memory>

#include "behavior/action.hpp"
#include "marine/angles.hpp"
#include "marine/fields.hpp"
#include "marine/helm_context.hpp"
#include "marine/shape.hpp"

namespace caribou::marine {
namespace {

using behavior::ActionClass;
using behavior::Arguments;
using behavior::Outcome;
using behavior::Parameter;

/// Follows way-points, or goes around a polygon without end.
class CourseAction final : public behavior::Action {
public:
    CourseAction(HelmContext& helm, WaypointSettings settings, bool loiters, std::optional<double> depth)
        : helm_(helm), waypoints_(std::move(settings)), loiters_(loiters), depth_(depth) {}

    std::string_view name() const override { return loiters_ ? "loiter" : "waypoints"; }
    void start(Instant) override {
        const auto& points = waypoints_.settings().points;
        waypoints_.restart(loiters_ ? nearest_vertex(points, helm_.position) : 0);
        follow();
    }
    std::optional<Outcome> poll(Instant) override {
        return follow() ? std::nullopt : std::optional(Outcome::succeeded());
    }
    void cancel() override {}

private:
    bool follow() {
        const auto point = waypoints_.steer(helm_.position);
        if (!point) return false;
        helm_.order = HelmOrder{heading_of(*point - helm_.position), waypoints_.settings().speed, depth_};
        helm_.course = HelmCourse{.points = waypoints_.settings().points,
                                  .closed = loiters_,
                                  .next = waypoints_.next(),
                                  .index = waypoints_.index(),
                                  .captured = waypoints_.captured(),
                                  .passed = waypoints_.passed(),
                                  .rounds = waypoints_.rounds()};
        if (*point != waypoints_.next()) helm_.course->track = *point;
        return true;
    }

    HelmContext& helm_;
    Waypoints waypoints_;
    bool loiters_;
    std::optional<double> depth_;
};

/// Stays near a point: returns to it beyond the outer radius, and stops within the inner one.
class StationKeepAction final : public behavior::Action {
public:
    StationKeepAction(HelmContext& helm, Vec2 point, double inner, double outer, double speed)
        : helm_(helm), point_(point), inner_(inner), outer_(outer), speed_(speed) {}

    std::string_view name() const override { return "station_keep"; }
    void start(Instant) override { keep(); }
    std::optional<Outcome> poll(Instant) override {
        keep();
        return std::nullopt;
    }
    void cancel() override {}

private:
    void keep() {
        const double away = distance(helm_.position, point_);
        if (away > outer_) returns_ = true;
        if (away < inner_) returns_ = false;
        helm_.order = HelmOrder{heading_of(point_ - helm_.position), returns_ ? speed_ : 0};
        helm_.course = HelmCourse{.points = {point_}, .next = point_};
    }

    HelmContext& helm_;
    Vec2 point_;
    double inner_;
    double outer_;
    double speed_;
    bool returns_ = true;
};

class PostAction final : public behavior::Action {
public:
    PostAction(HelmContext& helm, std::string variable, std::string value)
        : helm_(helm), variable_(std::move(variable)), value_(std::move(value)) {}

    std::string_view name() const override { return "post"; }
    void start(Instant) override { helm_.posts.emplace_back(variable_, value_); }
    std::optional<Outcome> poll(Instant) override { return Outcome::succeeded(); }
    void cancel() override {}

private:
    HelmContext& helm_;
    std::string variable_;
    std::string value_;
};

Parameter number_parameter(std::string name, std::string about, double otherwise, double min, double max) {
    return {.name = std::move(name),
            .kind = Parameter::Kind::number,
            .about = std::move(about),
            .fallback = otherwise,
            .min = min,
            .max = max};
}

/// Returns the parameters of an action that follows the vertices in the parameter of its name.
std::vector<Parameter> course_parameters(std::string name, std::string about) {
    return {
        {.name = std::move(name), .about = std::move(about), .required = true},
        number_parameter("speed", "m/s", 1, 0, 50),
        number_parameter("capture_radius", "meters", 3, 0.1, 1e5),
        number_parameter("slip_radius", "meters", 15, 0, 1e5),
        number_parameter("lead", "meters ahead on the leg to steer at; -1: the point itself", -1, -1, 1e5),
        {.name = "depth", .kind = Parameter::Kind::number, .about = "meters", .min = 0, .max = 1e4}};
}

/// Returns the vertices of `1,2:3,4`, or of a form such as `radial:0,0,20,8`.
std::vector<Vec2> course_vertices(const std::string& text, bool closed) {
    const auto shape = parse_shape(closed ? ShapeKind::polygon : ShapeKind::seglist, text);
    return shape ? shape->points : std::vector<Vec2>{};
}

auto course_check(std::string name, bool closed) {
    return [name, closed](const behavior::ParameterValues& values) -> std::vector<std::string> {
        const auto* text = behavior::given<std::string>(values, name);
        if (!text) return {};
        const auto shape = parse_shape(closed ? ShapeKind::polygon : ShapeKind::seglist, *text);
        if (shape) return {};
        return {"`" + name + "`: expected vertices such as \"0,0:10,20\"; " + shape.error().message};
    };
}

WaypointSettings waypoint_settings(const Arguments& from, std::vector<Vec2> points) {
    return {.points = std::move(points),
            .speed = from.number("speed"),
            .capture_radius = from.number("capture_radius"),
            .slip_radius = from.number("slip_radius"),
            .lead = from.number("lead")};
}

std::optional<double> depth_in(const Arguments& from) {
    return from.has("depth") ? std::optional(from.number("depth")) : std::nullopt;
}

void register_courses(behavior::ClassRegistry& classes, HelmContext& context) {
    ActionClass waypoints{.name = "waypoints",
                          .about = "follows way-points",
                          .parameters = course_parameters("waypoints", "x,y:x,y… in meters"),
                          .contradictions = course_check("waypoints", false)};
    waypoints.parameters.push_back(number_parameter("repeat", "further rounds; -1: without end", 0, -1, 1e6));
    waypoints.parameters.push_back({.name = "capture_line",
                                    .kind = Parameter::Kind::flag,
                                    .about = "also advance when the line through the point is passed",
                                    .fallback = false});
    waypoints.make = [&context](const Arguments& from) {
        auto settings = waypoint_settings(from, course_vertices(from.text("waypoints"), false));
        settings.capture_line = from.flag("capture_line");
        const double repeat = from.number("repeat");
        settings.repeat = repeat < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(repeat));
        return std::make_unique<CourseAction>(context, std::move(settings), false, depth_in(from));
    };
    classes.add(std::move(waypoints));

    ActionClass loiter{.name = "loiter",
                       .about = "goes around a convex polygon, from its nearest vertex, without end",
                       .parameters = course_parameters("loiter", "x,y:x,y…, or radial:x,y,radius,vertices"),
                       .contradictions = course_check("loiter", true)};
    loiter.make = [&context](const Arguments& from) {
        auto settings = waypoint_settings(from, course_vertices(from.text("loiter"), true));
        settings.repeat = std::nullopt;
        return std::make_unique<CourseAction>(context, std::move(settings), true, depth_in(from));
    };
    classes.add(std::move(loiter));
}

}  // namespace

void register_helm_classes(behavior::ClassRegistry& classes, HelmContext& context) {
    using behavior::FactDeclaration;
    for (const char* const name : {"x", "y", "speed", "heading"})
        classes.add(
            FactDeclaration{.name = name, .type = FactDeclaration::Type::number, .is_settable = false});
    classes.add(FactDeclaration{.name = "bus:", .is_settable = false});
    register_courses(classes, context);
    classes.add(ActionClass{
        .name = "station_keep",
        .about = "stays near a point",
        .parameters = {{.name = "station_keep", .about = "x,y in meters", .required = true},
                       number_parameter("inner_radius", "meters, within which it stops", 4, 0.1, 1e5),
                       number_parameter("outer_radius", "meters, beyond which it returns", 10, 0.1, 1e5),
                       number_parameter("speed", "m/s", 1, 0, 50)},
        .contradictions = course_check("station_keep", false),
        .make = [&context](const Arguments& from) {
            const auto points = course_vertices(from.text("station_keep"), false);
            return std::make_unique<StationKeepAction>(context, points.empty() ? Vec2{} : points.front(),
                                                       from.number("inner_radius"),
                                                       from.number("outer_radius"), from.number("speed"));
        }});
    classes.add(ActionClass{.name = "post",
                            .about = "writes a variable of the bus",
                            .parameters = {{.name = "post", .about = "its name", .required = true},
                                           {.name = "value", .about = "a text", .required = true}},
                            .make = [&context](const Arguments& from) {
                                return std::make_unique<PostAction>(context, from.text("post"),
                                                                    from.text("value"));
                            }});
}

}  // namespace caribou::marine
