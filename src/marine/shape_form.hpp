#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/geometry.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {

/// Vertices that a form describes, such as `format=radial,x=0,y=0,radius=20,pts=8`.
struct FormVertices {
    bool is_form = false;  ///< the text names a form
    std::vector<Vec2> points{};
};

/// Expands the forms of polygons: radial, ellipse, wedge, oval. The points are empty if a field is missing or
/// malformed. `text` may also be in the forms `radial::x=…` and `radial:0,0,20,8,snap,label`.
FormVertices polygon_form(std::string_view text, std::string& label);

/// Expands the forms of seg lists: lawnmower, bowtie, zigzag.
FormVertices seglist_form(std::string_view text);

/// Returns the point at a distance and an angle in degrees, clockwise from north.
Vec2 ahead(Vec2 from, double degrees, double meters);

}  // namespace caribou::marine
