#include <sstream>

#include <gtest/gtest.h>

#include "marine/color.hpp"
#include "marine/golden_lines.hpp"
#include "marine/shape.hpp"

namespace caribou::marine {
namespace {

/// Values that MOOS-IvP replaces by another shape, or writes in another form that means the same; and one
/// with a third coordinate, which is not kept here.
bool is_special(const std::string& input) {
    for (const std::string_view part :
         {"x=1,y=2,rad=30", "ctrx=1,bad=3", "format=lawnmower", "pts={0,0},active=false,label=p1", "bogus=3",
          "pts={0,0:10,20:30,40,5},label=s1"})
        if (input == part || (part.starts_with("format") && input.starts_with(part)) ||
            (part == "bogus=3" && input.ends_with(part)))
            return true;
    return input == "x=1" || input.starts_with("format=zigzag");
}

TEST(ShapeGolden, LibraryStringsAreReadAndWrittenTheSame) {
    std::size_t compared = 0;
    for (const auto& row : golden_lines("view_strings_library.txt", "VIEW_")) {
        const auto kind = shape_kind(row[0]);
        if (!kind || is_special(row[1])) continue;
        const auto shape = parse_shape(*kind, row[1]);
        if (row[2].empty()) {
            EXPECT_FALSE(shape) << row[0] << " " << row[1];
            continue;
        }
        ASSERT_TRUE(shape) << row[0] << " " << row[1] << ": " << shape.error().message;
        if (*kind == ShapeKind::seglr || *kind == ShapeKind::wedge) {
            EXPECT_EQ(*shape, parse_shape(*kind, row[2]).value()) << row[1];
        } else {
            EXPECT_EQ(to_string(*shape), row[2]) << row[1];
        }
        ++compared;
    }
    EXPECT_GT(compared, 50U);
}

TEST(ShapeGolden, AGridRefusesTheChangesThatTheLibraryRefuses) {
    const auto shape =
        parse_shape(ShapeKind::grid, golden_lines("view_strings_library.txt", "VIEW_GRID").at(0)[1]);
    ASSERT_TRUE(shape && shape->grid);
    EXPECT_EQ(shape->grid->cells().size(), 4U);
    const auto rows = golden_lines("view_strings_library.txt", "VIEW_GRID_DELTA");
    EXPECT_EQ(rows.size(), 3U);
    for (const auto& row : rows) {
        Shape changed = *shape;
        EXPECT_FALSE(changed.grid->apply(row[1].substr(row[1].find('@') + 1))) << row[1];
        EXPECT_EQ("ok=0 " + to_string(changed), row[2]);
    }
}

TEST(ShapeGolden, ValuesOfAHelmAreReadAndKeepTheirMeaning) {
    std::size_t erasing = 0;
    for (const auto& row : golden_lines("view_strings_helm.txt", "VIEW_")) {
        const auto shape = parse_shape(shape_kind(row[0]).value(), row[5]);
        ASSERT_TRUE(shape) << row[5] << ": " << shape.error().message;
        EXPECT_EQ(parse_shape(shape->kind, to_string(*shape)).value().label, shape->label);
        EXPECT_FALSE(shape->label.empty());
        erasing += shape->active ? 0U : 1U;
    }
    EXPECT_GT(erasing, 5U);
}

TEST(ShapeGolden, FormsHaveTheVerticesOfTheLibrary) {
    const auto mower = parse_shape(ShapeKind::seglist,
                                   "format=lawnmower,label=lm,x=0,y=40,height=60,width=180,lane_width=30,"
                                   "rows=north-south,degs=0");
    ASSERT_TRUE(mower);
    EXPECT_EQ(to_string(*mower),
              "pts={-90,10:-90,70:-60,70:-60,10:-30,10:-30,70:0,70:0,10:30,10:30,70:60,70:60,10:90,10:90,70},"
              "label=lm");
}

TEST(ShapeGolden, RefusedValuesSayWhy) {
    const auto why = [](ShapeKind kind, std::string_view text) {
        const auto shape = parse_shape(kind, text);
        return shape ? std::string("accepted") : shape.error().message;
    };
    EXPECT_EQ(why(ShapeKind::polygon, "pts={0,0:10,0:0,10:10,10},label=bow"), "the polygon is not convex");
    EXPECT_EQ(why(ShapeKind::circle, "x=1,y=2,rad=30"), "missing `radius`");
    EXPECT_EQ(why(ShapeKind::point, "x=1"), "missing `y`");
    EXPECT_EQ(why(ShapeKind::textbox, "x=1,y=2,bogus=3"), "a text box has no `bogus`");
    EXPECT_EQ(why(ShapeKind::polygon, "pts=\"0,0:1,0:1,1\""), "expected pts={x,y:x,y…}");
}

TEST(ShapeGolden, ColorsAreThoseOfTheLibrary) {
    std::size_t compared = 0;
    for (const auto& row : golden_lines("view_strings_library.txt", "COLOR")) {
        const bool known = row[2].starts_with("isColor=1");
        EXPECT_EQ(known, is_invisible(row[1]) || parse_color(row[1])) << row[1];
        ++compared;
    }
    EXPECT_EQ(compared, 10U);
    EXPECT_EQ(css_text(parse_color("Dodger_Blue").value()), "#1e90ff");
    EXPECT_EQ(css_text(parse_color("gray70").value()), "#b3b3b3");
    EXPECT_EQ(css_text(parse_color("hex:bd,b7,6b").value()), "#bdb76b");
    EXPECT_FALSE(parse_color("0.5:2:1"));
}

TEST(ShapeGolden, ColorsHaveTheValuesOfTheTable) {
    std::size_t compared = 0;
    for (const auto& row : golden_lines("colors.txt", "")) {
        std::istringstream line(row[0]);
        std::string name;
        double red = 0;
        double green = 0;
        double blue = 0;
        if (!(line >> name >> red >> green >> blue)) continue;
        const auto color = parse_color(name);
        ASSERT_TRUE(color) << name;
        EXPECT_NEAR(color->red, red, 1) << name;
        EXPECT_NEAR(color->green, green, 1) << name;
        EXPECT_NEAR(color->blue, blue, 1) << name;
        ++compared;
    }
    EXPECT_EQ(compared, 180U);
}

}  // namespace
}  // namespace caribou::marine
