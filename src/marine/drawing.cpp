#include "marine/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "marine/angles.hpp"
#include "marine/color.hpp"
#include "marine/fields.hpp"
#include "marine/shape_form.hpp"

namespace caribou::marine {
namespace {

/// Colors and sizes where the value gives none.
struct DefaultStyle {
    std::string_view label, edge, vertex, fill;
    double fill_opacity, edge_size, vertex_size;
};

DefaultStyle default_style(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::point: return {"aquamarine", "", "red", "", 0, 0, 2};
        case ShapeKind::seglist:
        case ShapeKind::seglr: return {"white", "white", "blue", "", 0, 1, 2};
        case ShapeKind::polygon: return {"white", "aqua", "red", "", 0.2, 1, 2};
        case ShapeKind::wedge: return {"white", "aqua", "", "", 0.2, 1, 0};
        case ShapeKind::circle:
        case ShapeKind::oval: return {"white", "blue", "", "", 0.2, 1, 0};
        case ShapeKind::arrow: return {"white", "", "", "yellow", 0.5, 1, 0};
        case ShapeKind::vector: return {"white", "white", "", "", 0, 1, 0};
        case ShapeKind::marker: return {"white", "black", "", "orange", 1, 1, 0};
        case ShapeKind::textbox: return {"white", "", "", "", 0, 0, 0};
        case ShapeKind::range_pulse: return {"", "green", "", "green", 0.25, 1, 0};
        case ShapeKind::comms_pulse: return {"", "", "", "green", 0.35, 0, 0};
        case ShapeKind::grid: return {"white", "gray50", "", "", 0.5, 1, 0};
    }
    return {};
}

std::string drawn_color(const std::string& given, std::string_view otherwise) {
    if (is_invisible(given)) return {};
    const auto color = parse_color(given.empty() ? otherwise : std::string_view(given));
    return color ? css_text(*color) : std::string();
}

void set_style(data::MarineShape& to, const Shape& shape) {
    const DefaultStyle usual = default_style(shape.kind);
    const ShapeStyle& style = shape.style;
    const bool is_marker = shape.kind == ShapeKind::marker;
    const std::string& text_color = shape.kind == ShapeKind::textbox && style.label_color.empty()
                                        ? style.primary_color
                                        : style.label_color;
    to.label_color = drawn_color(text_color, usual.label);
    to.edge_color = drawn_color(style.edge_color, usual.edge);
    to.vertex_color = drawn_color(is_marker ? style.secondary_color : style.vertex_color, usual.vertex);
    to.fill_color = drawn_color(is_marker ? style.primary_color : style.fill_color, usual.fill);
    to.fill =
        std::clamp(shape.number("fill", style.fill_transparency.value_or(usual.fill_opacity)), 0.0, 1.0);
    to.edge_size = style.edge_size.value_or(usual.edge_size);
    to.vertex_size = style.vertex_size.value_or(usual.vertex_size);
}

std::vector<Vec2> ring_sector(const Shape& shape) {
    const Vec2 center = shape.points[0];
    const double low = shape.number("ang_low");
    double high = shape.number("ang_hgh");
    if (high < low) high += 360;
    const int steps = std::clamp(static_cast<int>((high - low) / 5), 1, 72);
    std::vector<Vec2> points;
    for (int i = 0; i <= steps; ++i)
        points.push_back(ahead(center, low + (high - low) * i / steps, shape.number("rad_hgh")));
    for (int i = steps; i >= 0; --i)
        points.push_back(ahead(center, low + (high - low) * i / steps, shape.number("rad_low")));
    return points;
}

std::vector<Vec2> oval(const Shape& shape) {
    const double radius = shape.number("rad");
    const double half = std::max(shape.number("len") / 2 - radius, 0.0);
    const double step = std::clamp(shape.number("draw_degs", 5), 1.0, 45.0);
    std::vector<Vec2> points;
    for (const double end : {shape.number("ang"), shape.number("ang") + 180})
        for (double turn = -90; turn <= 90 + 1e-9; turn += step)
            points.push_back(ahead(ahead(shape.points[0], end, half), end + turn, radius));
    return points;
}

std::vector<Vec2> block_arrow(const Shape& shape) {
    const double angle = shape.number("ang");
    const double body = shape.number("blen");
    const double head = shape.number("hlen");
    const double half_body = shape.number("bwid") / 2;
    const double half_head = std::max(shape.number("hwid") / 2, half_body);
    const Vec2 start = ahead(shape.points[0], angle, -(body + head) / 2);
    std::vector<Vec2> points;
    for (const Vec2 p :
         {Vec2{-half_body, 0}, Vec2{-half_body, body}, Vec2{-half_head, body}, Vec2{0, body + head},
          Vec2{half_head, body}, Vec2{half_body, body}, Vec2{half_body, 0}})
        points.push_back(ahead(ahead(start, angle, p.y), angle + 90, p.x));
    return points;
}

/// A line with a head at its end.
std::vector<Vec2> line_arrow(std::vector<Vec2> line, double angle, double length, double head) {
    const Vec2 tip = ahead(line.back(), angle, length);
    line.push_back(tip);
    if (head <= 0) return line;
    line.push_back(ahead(tip, angle + 150, head));
    line.push_back(tip);
    line.push_back(ahead(tip, angle - 150, head));
    return line;
}

data::MarineGrid grid_of(const CellGrid& grid) {
    const auto [least, most] = grid.range();
    return {.name = grid.name(),
            .cell_size = grid.cell_size(),
            .least = least,
            .most = most,
            .cells = grid.cells(),
            .values = grid.values()};
}

std::vector<Vec2> beam(const Shape& shape) {
    const Vec2 from = shape.points[0];
    const Vec2 to = shape.points[1];
    const double across = heading_of(to - from) + 90;
    const double half = shape.number("beam_width") / 2;
    return {from, ahead(to, across, half), ahead(to, across, -half)};
}

}  // namespace

data::MarineShape drawing_of(const Shape& shape, double received) {
    data::MarineShape to{.kind = std::string(to_string(shape.kind)),
                         .label = shape.label,
                         .text = shape.msg.empty() ? shape.label : shape.msg,
                         .points = shape.points,
                         .radius = shape.number("radius"),
                         .width = shape.number("width"),
                         .marker = shape.kind == ShapeKind::marker ? lower(shape.type) : "",
                         .lines = shape.lines,
                         .font_size = shape.number("fsize"),
                         .begins = shape.time.value_or(0) > 0 ? *shape.time : received,
                         .duration = shape.duration.value_or(-1),
                         .linger = shape.number("linger"),
                         .steady = shape.fill_invariant};
    set_style(to, shape);
    if (to.duration < 0) to.duration = std::numeric_limits<double>::quiet_NaN();
    switch (shape.kind) {
        case ShapeKind::wedge: to.points = ring_sector(shape); break;
        case ShapeKind::oval: to.points = oval(shape); break;
        case ShapeKind::arrow: to.points = block_arrow(shape); break;
        case ShapeKind::comms_pulse: to.points = beam(shape); break;
        case ShapeKind::vector:
            to.points = line_arrow(shape.points, shape.number("ang"), shape.number("mag"),
                                   shape.number("head_size", 3));
            break;
        case ShapeKind::seglr:
            if (!shape.points.empty())
                to.points = line_arrow(shape.points, shape.number("ray"), shape.number("ray_len", 10),
                                       shape.number("head_size", 3));
            break;
        default: break;
    }
    to.closed = shape.kind == ShapeKind::polygon || shape.kind == ShapeKind::wedge ||
                shape.kind == ShapeKind::oval || shape.kind == ShapeKind::arrow ||
                shape.kind == ShapeKind::comms_pulse || shape.kind == ShapeKind::grid;
    if (shape.grid) to.grid = grid_of(*shape.grid);
    if (shape.kind == ShapeKind::range_pulse && std::isnan(to.duration)) to.duration = 15;
    if (shape.kind == ShapeKind::comms_pulse && std::isnan(to.duration)) to.duration = 3;
    return to;
}

}  // namespace caribou::marine
