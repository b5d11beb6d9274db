#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/geometry.hpp"
#include "base/result.hpp"
#include "marine/cell_grid.hpp"

namespace caribou::marine {

/// What is drawn for a value of a VIEW_ variable.
enum class ShapeKind : std::uint8_t {
    point,
    seglist,
    seglr,
    polygon,
    wedge,
    circle,
    oval,
    arrow,
    vector,
    marker,
    textbox,
    range_pulse,
    comms_pulse,
    grid,
};

/// Returns `point`, `range_pulse` …
std::string_view to_string(ShapeKind kind);
/// Returns the kind of `VIEW_POINT` …, or nullopt if the variable is none of them.
std::optional<ShapeKind> shape_kind(std::string_view variable);
/// Returns `VIEW_POINT` …
std::string shape_variable(ShapeKind kind);

/// Colors and sizes as written; empty or nullopt if not given.
struct ShapeStyle {
    std::string label_color{}, edge_color{}, vertex_color{}, fill_color{};
    std::string primary_color{}, secondary_color{};    ///< of markers
    std::optional<double> vertex_size{}, edge_size{};  ///< pixels
    std::optional<double> fill_transparency{};         ///< 0: invisible, 1: opaque

    friend bool operator==(const ShapeStyle&, const ShapeStyle&) = default;
};

/// Coordinates and sizes beyond this are refused, in meters.
inline constexpr double most_meters = 1e9;

struct Shape {
    ShapeKind kind = ShapeKind::point;
    bool active = true;  ///< false: erases the shape with this label
    std::string label{}, msg{}, source{}, vsource{}, id{}, type{}, owner{};
    std::vector<Vec2> points{};  ///< vertices, or the position
    /// What the kind needs beyond points, in the order in which it is written, with defaults filled in.
    std::vector<std::pair<std::string, double>> numbers{};
    std::vector<std::string> lines{};  ///< of a text box
    bool fill_invariant = false;       ///< of a range pulse
    std::optional<CellGrid> grid{};    ///< of an active grid
    ShapeStyle style{};
    std::optional<double> time{};      ///< UNIX seconds, warped
    std::optional<double> duration{};  ///< seconds; negative: for ever

    double number(std::string_view name, double otherwise = 0) const;
    friend bool operator==(const Shape&, const Shape&) = default;
};

/// Parses a value. Fails for values that pMarineViewer refuses, and for a point without a position.
Result<Shape> parse_shape(ShapeKind kind, std::string_view text);

/// Returns the value in the usual order: what the kind needs, then the common fields that were given.
std::string to_string(const Shape& shape);

/// Parses vertices, `1,2:3,4`; further values of a vertex are ignored. Nullopt if one is malformed.
std::optional<std::vector<Vec2>> parse_vertices(std::string_view text);

/// Returns whether the vertices form a convex polygon without crossing edges. Any two vertices do.
bool is_convex(const std::vector<Vec2>& vertices);

}  // namespace caribou::marine
