#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "views/grid.hpp"

/// Decodes arbitrary bytes as a grid. They are refused, or give a grid that every encoding preserves.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::wire;
    const auto grid = decode_grid(std::as_bytes(std::span(data, size)));
    if (!grid) return 0;
    check(grid->cells.size() == std::size_t{grid->columns} * grid->rows, "a grid has all its cells");
    if (grid->cells.size() > 100'000) return 0;
    for (const GridEncoding encoding :
         {GridEncoding::raw, GridEncoding::run_length, GridEncoding::compressed}) {
        const auto again = decode_grid(encode_grid(*grid, encoding));
        check(again && again->cells == grid->cells && again->columns == grid->columns,
              "what was read can be written");
    }
    return 0;
}
