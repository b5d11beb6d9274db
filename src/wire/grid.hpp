#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

/// A grid map as bytes, in encodings that cost more or less. docs/formats/grid.md lays them out.
namespace caribou::wire {

struct Grid {
    double time = 0;  ///< seconds since 1970
    double x = 0;     ///< of the outer corner of the first cell, metres
    double y = 0;
    float cell = 0;  ///< metres
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::vector<std::int8_t> cells{};  ///< row by row: -1 not known, 0 surely free, 100 surely occupied

    static constexpr std::size_t max_cells = 4'000'000;
    friend bool operator==(const Grid&, const Grid&) = default;
};

enum class GridEncoding : std::uint8_t {
    raw = 1,         ///< a byte a cell
    run_length = 2,  ///< each value with how often it follows
    compressed = 3,  ///< by zlib
};

/// `cells` has columns times rows values, and no more than max_cells.
Bytes encode_grid(const Grid& grid, GridEncoding encoding);

/// Whatever the encoding. malformed: where and what; limit_exceeded: more than max_cells.
Result<Grid> decode_grid(ByteView bytes);

}  // namespace caribou::wire
