#include "views/grid.hpp"

#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "base/varint.hpp"

namespace caribou::wire {
namespace {

constexpr std::byte grid_mark{'G'};
constexpr std::size_t grid_head_size = 38;

std::unexpected<Error> malformed_grid(std::string_view what) {
    return fail(Code::malformed, fmt::format("no grid: {}", what));
}

void append_runs(Bytes& to, const std::vector<std::int8_t>& cells) {
    for (std::size_t i = 0; i < cells.size();) {
        const std::size_t begin = i;
        while (i < cells.size() && cells[i] == cells[begin]) ++i;
        to.push_back(static_cast<std::byte>(cells[begin]));
        append_varint(to, i - begin - 1);
    }
}

void append_compressed(Bytes& to, const std::vector<std::int8_t>& cells) {
    const std::size_t begin = to.size();
    uLongf size = compressBound(cells.size());
    to.resize(begin + size);
    const int done =
        compress2(reinterpret_cast<Bytef*>(to.data() + begin), &size,
                  reinterpret_cast<const Bytef*>(cells.data()), cells.size(), Z_DEFAULT_COMPRESSION);
    check(done == Z_OK, "zlib compresses into the room that it asked for");
    to.resize(begin + size);
}

Result<void> read_runs(Grid& grid, std::size_t count, ByteView bytes) {
    VarintReader reader(bytes);
    while (grid.cells.size() < count) {
        const auto value = reader.byte();
        const auto more = reader.number();
        if (!value || !more || *more >= count - grid.cells.size())
            return malformed_grid("its runs do not give its cells");
        grid.cells.insert(grid.cells.end(), static_cast<std::size_t>(*more) + 1,
                          static_cast<std::int8_t>(*value));
    }
    if (!reader.at_end()) return malformed_grid("something follows its last run");
    return {};
}

Result<void> read_compressed(Grid& grid, std::size_t count, ByteView bytes) {
    // zlib cannot compress by more than a factor of about 1,000: reject such sizes before allocating memory.
    if (count / 1100 > bytes.size()) return malformed_grid("it is too short for its cells");
    grid.cells.resize(count);
    uLongf size = count;
    uLong taken = bytes.size();
    const int done = uncompress2(reinterpret_cast<Bytef*>(grid.cells.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()), &taken);
    if (done != Z_OK || size != count || taken != bytes.size())
        return malformed_grid("its compressed data is malformed");
    return {};
}

}  // namespace

Bytes encode_grid(const Grid& grid, GridEncoding encoding) {
    check(grid.cells.size() == std::size_t{grid.columns} * grid.rows && grid.cells.size() <= Grid::max_cells,
          "a grid has columns times rows cells, and at most max_cells");
    Bytes bytes;
    bytes.push_back(grid_mark);
    bytes.push_back(static_cast<std::byte>(encoding));
    append_le(bytes, grid.time);
    append_le(bytes, grid.x);
    append_le(bytes, grid.y);
    append_le(bytes, grid.cell);
    append_le(bytes, grid.columns);
    append_le(bytes, grid.rows);
    switch (encoding) {
        case GridEncoding::raw: append(bytes, std::as_bytes(std::span(grid.cells))); break;
        case GridEncoding::run_length: append_runs(bytes, grid.cells); break;
        case GridEncoding::compressed: append_compressed(bytes, grid.cells); break;
    }
    return bytes;
}

Result<Grid> decode_grid(ByteView bytes) {
    if (bytes.size() < grid_head_size || bytes[0] != grid_mark)
        return malformed_grid("it does not begin like one");
    const auto encoding = static_cast<GridEncoding>(bytes[1]);
    Grid grid{.time = load_le<double>(&bytes[2]),
              .x = load_le<double>(&bytes[10]),
              .y = load_le<double>(&bytes[18]),
              .cell = load_le<float>(&bytes[26]),
              .columns = load_le<std::uint32_t>(&bytes[30]),
              .rows = load_le<std::uint32_t>(&bytes[34])};
    const std::uint64_t count = std::uint64_t{grid.columns} * grid.rows;
    if (count > Grid::max_cells)
        return fail(Code::limit_exceeded, limit_reached("max_cells", count, Grid::max_cells, "cells"));
    const ByteView rest = bytes.subspan(grid_head_size);
    Result<void> read;
    switch (encoding) {
        case GridEncoding::raw:
            if (rest.size() != count) return malformed_grid("its length does not fit its cells");
            for (const std::byte cell : rest) grid.cells.push_back(static_cast<std::int8_t>(cell));
            break;
        case GridEncoding::run_length: read = read_runs(grid, count, rest); break;
        case GridEncoding::compressed: read = read_compressed(grid, count, rest); break;
        default: return malformed_grid(fmt::format("encoding {} is not known", std::to_underlying(encoding)));
    }
    if (!read) return fail(std::move(read.error()));
    return grid;
}

}  // namespace caribou::wire
