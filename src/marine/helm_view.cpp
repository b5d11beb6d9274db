// What a helm shows of the course that it follows, and what it reports about it.

#include <cmath>

#include <fmt/format.h>

#include "marine/helm.hpp"
#include "marine/shape.hpp"

namespace caribou::marine {
namespace {

Shape course_shape(const HelmCourse& course, std::string label) {
    Shape shape{.kind = course.closed ? ShapeKind::polygon : ShapeKind::seglist,
                .label = std::move(label),
                .points = course.points,
                .style = {.label_color = "white",
                          .edge_color = "white",
                          .vertex_color = course.closed ? "yellow" : "dodger_blue",
                          .vertex_size = course.closed ? 2 : 5,
                          .edge_size = 1}};
    return shape;
}

Shape course_point(Vec2 at, std::string label, std::string_view label_color, double size) {
    return {
        .kind = ShapeKind::point,
        .label = std::move(label),
        .points = {at},
        .numbers = {{"x", at.x}, {"y", at.y}},
        .style = {.label_color = std::string(label_color), .vertex_color = "yellow", .vertex_size = size}};
}

std::string erased(Shape shape) {
    shape.active = false;
    return to_string(shape);
}

}  // namespace

void Helm::erase_view() {
    if (!shown_) return;
    const Shape course = course_shape(*shown_, settings_.vehicle + "_" + shown_by_);
    post(shape_variable(course.kind), erased(course));
    post("VIEW_POINT", erased(course_point({}, settings_.vehicle + "'s nextpt", "gray70", 8)));
    if (shown_->track)
        post("VIEW_POINT", erased(course_point({}, settings_.vehicle + "'s trackpt", "yellow", 4)));
    shown_.reset();
}

void Helm::post_view(bool again) {
    const auto& course = context_.course;
    const std::string active = active_behavior();
    // While the helm is parked, the course remains.
    if (drives_ && shown_ &&
        (!course || course->points != shown_->points || course->closed != shown_->closed ||
         active != shown_by_))
        erase_view();
    if (!course || (!drives_ && !again)) return;
    const bool is_new = !shown_;
    if (is_new || again) {
        const Shape shape = course_shape(*course, settings_.vehicle + "_" + (is_new ? active : shown_by_));
        post(shape_variable(shape.kind), to_string(shape));
    }
    if (is_new || again || course->next != shown_->next)
        post("VIEW_POINT",
             to_string(course_point(*course->next, settings_.vehicle + "'s nextpt", "gray70", 8)));
    if (course->track && (is_new || again || course->track != shown_->track))
        post("VIEW_POINT",
             to_string(course_point(*course->track, settings_.vehicle + "'s trackpt", "yellow", 4)));
    else if (!is_new && shown_->track && !course->track)
        post("VIEW_POINT", erased(course_point({}, settings_.vehicle + "'s trackpt", "yellow", 4)));
    if (is_new) shown_by_ = active;
    shown_ = course;
}

void Helm::post_course() {
    if (!drives_ || !shown_->next || shown_->points.size() < 2) return;
    const double left = distance(context_.position, *shown_->next);
    const std::string eta =
        context_.speed > 0.01 ? fmt::format("{:.0f}", left / context_.speed) : std::string("inf");
    post_changed("WPT_STAT",
                 fmt::format("vname={},behavior-name={},index={},hits={}/{},cycles={},dist={:.0f},eta={}",
                             settings_.vehicle, shown_by_, shown_->index, shown_->captured, shown_->passed,
                             shown_->rounds, left, eta));
    for (const auto& [variable, value] : {std::pair{"WPT_INDEX", static_cast<double>(shown_->index)},
                                          {"CYCLE_INDEX", static_cast<double>(shown_->rounds)}}) {
        const auto [at, is_new] = last_.try_emplace(variable, fmt::format("{}", value));
        if (!is_new && at->second == fmt::format("{}", value)) continue;
        at->second = fmt::format("{}", value);
        post(variable, value);
    }
}

}  // namespace caribou::marine
