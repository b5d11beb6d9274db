#pragma once

#include <span>
#include <string_view>

#include "marine/shape.hpp"

namespace caribou::marine {

enum class NumberUse : std::uint8_t {
    required,
    written,  ///< has a default, which is written
    drawn,    ///< has a default, which is used for drawing only
};

struct ShapeNumber {
    std::string_view name;
    std::string_view other_name;
    NumberUse use;
    double otherwise;
};

/// What a kind of shape has beyond the common fields.
struct ShapeTraits {
    std::string_view name;
    bool has_vertices;  ///< `pts={…}` instead of the position
    int digits;         ///< decimals of vertices
    std::span<const ShapeNumber> numbers;
};

const ShapeTraits& traits_of(ShapeKind kind);

}  // namespace caribou::marine
