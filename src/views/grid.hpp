#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

/// Serialization of occupancy grids, in encodings of different size and cost. The formats are described in
/// docs/formats/grid.md.
namespace caribou::wire {

struct Grid {
    double time = 0;  ///< seconds since 1970
    double x = 0;     ///< of the outer corner of the first cell, in meters
    double y = 0;
    float cell = 0;  ///< edge length in meters
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::vector<std::int8_t> cells{};  ///< row by row: -1 unknown, 0 certainly free, 100 certainly occupied

    static constexpr std::size_t max_cells = 4'000'000;
    friend bool operator==(const Grid&, const Grid&) = default;
};

enum class GridEncoding : std::uint8_t {
    raw = 1,         ///< one byte per cell
    run_length = 2,  ///< pairs of a value and its repeat count
    compressed = 3,  ///< with zlib
};

/// Returns the encoded grid. `cells` must have columns * rows elements, and at most max_cells.
Bytes encode_grid(const Grid& grid, GridEncoding encoding);

/// Decodes a grid of any encoding. Returns Code::malformed with the reason, or Code::limit_exceeded if there
/// are more than max_cells.
Result<Grid> decode_grid(ByteView bytes);

}  // namespace caribou::wire
