#include "marine/node_report.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "marine/golden_lines.hpp"

namespace caribou::marine {
namespace {

TEST(NodeReport, RealReportsAreReadAndWrittenTheSame) {
    std::size_t compared = 0;
    for (const auto& row : golden_lines("node_report_strings.txt", "NODE_REPORT_LOCAL")) {
        const auto report = parse_node_report(row[5]);
        ASSERT_TRUE(report) << row[5];
        EXPECT_TRUE(report->x && report->heading && report->time);
        if (!row[5].starts_with('{')) {
            EXPECT_EQ(to_string(*report), row[5]);
        }
        ++compared;
    }
    EXPECT_EQ(compared, 5U);
}

TEST(NodeReport, LibraryReportsAreWrittenTheSame) {
    for (const auto& row : golden_lines("view_strings_library.txt", "NODE_REPORT"))
        EXPECT_EQ(to_string(parse_node_report(row[1]).value()), row[2]);
}

TEST(NodeReport, RefusesReportsWithTheMessagesOfTheViewer) {
    EXPECT_EQ(parse_node_report("NAME=abe,X=1,Y=2,SPD=1,HDG=90,TYPE=kayak").error().message,
              "Missing timestamp.");
    EXPECT_EQ(parse_node_report("NAME=deb,SPD=1,TIME=5").error().message, "Missing both x/y and lat/lon.");
    EXPECT_FALSE(parse_node_report("X=1,Y=2,TIME=5"));
}

TEST(Geodesy, IsTheUtmOfCapturedPositions) {
    const auto geodesy = Geodesy::make({43.8253, -70.3304}).value();
    // NAV_LAT and NAV_LONG of a real simulator; its inverse is exact to 1.3 cm.
    const Geographic point = geodesy.geographic({0, -20});
    EXPECT_NEAR(point.latitude, 43.82511992642681, 1.5e-7);
    EXPECT_NEAR(point.longitude, -70.33039599139865, 1.5e-7);
    // A click of a real viewer.
    const Vec2 click = geodesy.local({43.82404100, -70.33073392});
    EXPECT_NEAR(click.x, -29.1, 0.1);
    EXPECT_NEAR(click.y, -139.4, 0.1);
    for (const auto& row : golden_lines("node_report_strings.txt", "NODE_REPORT_LOCAL")) {
        const NodeReport report = parse_node_report(row[5]).value();
        if (report.name != "alpha") continue;
        const Vec2 at = geodesy.local({*report.latitude, *report.longitude});
        EXPECT_NEAR(at.x, *report.x, 0.02) << row[5];
        EXPECT_NEAR(at.y, *report.y, 0.02) << row[5];
    }
}

TEST(Geodesy, ReturnsToTheSamePointEverywhere) {
    Random random(20);
    const auto between = [&](double low, double high) { return low + (high - low) * random.unit(); };
    for (int i = 0; i < 2000; ++i) {
        const Geographic origin{between(-80, 80), between(-180, 180)};
        const auto geodesy = Geodesy::make(origin).value();
        const Vec2 point{between(-50'000, 50'000), between(-50'000, 50'000)};
        EXPECT_LT(distance(geodesy.local(geodesy.geographic(point)), point), 1e-4);
    }
    EXPECT_FALSE(Geodesy::make({89, 0}));
}

TEST(NodeReport, TheMissingPositionIsComputed) {
    const auto geodesy = Geodesy::make({43.8253, -70.3304}).value();
    NodeReport report = parse_node_report("NAME=a,LAT=43.82511993,LON=-70.33039599,TIME=1").value();
    complete_position(report, &geodesy);
    EXPECT_NEAR(*report.x, 0, 0.02);
    EXPECT_NEAR(*report.y, -20, 0.02);
}

}  // namespace
}  // namespace caribou::marine
