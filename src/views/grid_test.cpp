#include "views/grid.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>
#include "base/random.hpp"

namespace caribou::wire {
namespace {

constexpr GridEncoding grid_encodings[] = {GridEncoding::raw, GridEncoding::run_length,
                                           GridEncoding::compressed};

Grid golden_grid() {
    Grid grid{.time = 1767225600.5, .x = -1, .y = 2.5, .cell = 0.05F, .columns = 20, .rows = 10};
    for (std::uint32_t row = 0; row < grid.rows; ++row)
        for (std::uint32_t column = 0; column < grid.columns; ++column)
            grid.cells.push_back(column == 7  ? std::int8_t{100}
                                 : column > 7 ? std::int8_t{-1}
                                              : std::int8_t{0});
    return grid;
}

std::string golden_grid_file(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(tests::in_repository("tests/golden/grid/") + name, std::ios::binary).rdbuf();
    return text.str();
}

RC_GTEST_PROP(GridCodec, ComesBackAsItWas, ()) {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    Grid grid{.time = random.unit(),
              .x = random.unit(),
              .y = -random.unit(),
              .cell = 0.1F,
              .columns = static_cast<std::uint32_t>(random.below(60)),
              .rows = static_cast<std::uint32_t>(random.below(60))};
    const double change = random.unit();
    std::int8_t value = -1;
    for (std::uint32_t i = 0; i < grid.columns * grid.rows; ++i) {
        if (random.chance(change)) value = static_cast<std::int8_t>(random.between(-128, 127));
        grid.cells.push_back(value);
    }
    for (const GridEncoding encoding : grid_encodings) {
        const auto again = decode_grid(encode_grid(grid, encoding));
        RC_ASSERT(again.has_value());
        RC_ASSERT(*again == grid);
    }
}

TEST(GridCodec, CostsLessTheMoreItWorks) {
    Grid room{.columns = 200, .rows = 200};
    for (int row = 0; row < 200; ++row)
        for (int column = 0; column < 200; ++column)
            room.cells.push_back(row % 50 == 0 || column % 70 == 0 ? std::int8_t{100} : std::int8_t{0});
    EXPECT_EQ(encode_grid(room, GridEncoding::raw).size(), 38U + 40'000);
    EXPECT_LT(encode_grid(room, GridEncoding::run_length).size(), 4'000U);
    EXPECT_LT(encode_grid(room, GridEncoding::compressed).size(), 1'000U);
}

TEST(GridCodec, WritesAndReadsTheGoldenFiles) {
    for (const auto& [name, encoding] : {std::pair{"raw.grid", GridEncoding::raw},
                                         {"run_length.grid", GridEncoding::run_length},
                                         {"compressed.grid", GridEncoding::compressed}}) {
        const std::string bytes = golden_grid_file(name);
        const auto grid = decode_grid(bytes_of(bytes));
        ASSERT_TRUE(grid.has_value()) << name << grid.error().message;
        EXPECT_EQ(*grid, golden_grid()) << name;
        // The output of zlib may differ between versions.
        if (encoding != GridEncoding::compressed) {
            EXPECT_EQ(text_of(encode_grid(golden_grid(), encoding)), bytes) << name;
        }
    }
}

TEST(GridCodec, RefusesWhatIsNoGrid) {
    for (const GridEncoding encoding : grid_encodings) {
        const Bytes bytes = encode_grid(golden_grid(), encoding);
        for (std::size_t size = 0; size < bytes.size(); ++size)
            EXPECT_FALSE(decode_grid(ByteView(bytes).first(size)).has_value());
        Bytes longer = bytes;
        longer.push_back(std::byte{0});
        EXPECT_FALSE(decode_grid(longer).has_value());
        Bytes unknown = bytes;
        unknown[1] = std::byte{0};
        EXPECT_EQ(decode_grid(unknown).error().message, "no grid: encoding 0 is not known");
        Bytes huge = bytes;
        huge[33] = huge[37] = std::byte{0x7f};
        EXPECT_EQ(decode_grid(huge).error().code, Code::limit_exceeded);
        Bytes promising = bytes;
        promising[31] = promising[35] = std::byte{0x07};
        EXPECT_FALSE(decode_grid(promising).has_value());
    }
}

}  // namespace
}  // namespace caribou::wire
