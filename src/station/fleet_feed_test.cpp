#include "station/fleet_feed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json_node.hpp"

namespace caribou::station {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Robots whose sections are numbers, and the state reconstructed by a watcher.
struct Numbers {
    FleetFeed feed{[this](const std::string& robot, Section section) {
        written += 1;
        return std::to_string(values[robot][section]);
    }};
    using Picture = std::map<std::string, std::map<Section, int>>;
    Picture values;
    int written = 0;

    void set(const std::string& robot, Section section, int value) {
        values[robot][section] = value;
        feed.touch(robot, section);
    }
    static void apply(Picture& picture, const std::string& message) {
        if (message.empty()) return;
        const JsonNode node = read_json(message).value();
        for (const JsonNode& robot : node.find("robots")->items)
            for (const Section section : {Section::status, Section::motion, Section::route, Section::scan})
                if (const JsonNode* value = robot.find(to_string(section)))
                    picture[robot.key][section] = static_cast<int>(value->number);
    }
};

TEST(FleetFeed, TellsEverythingFirstAndThenWhatChanged) {
    Numbers n;
    n.set("ada", Section::status, 1);
    n.set("bee", Section::status, 2);
    FleetFeed::Cursor cursor;
    EXPECT_EQ(n.feed.next(cursor, 5),
              R"({"type":"state","full":true,"now":5.000,"robots":{"ada":{"status":1},"bee":{"status":2}}})");
    EXPECT_EQ(n.feed.next(cursor, 6), "");
    n.set("bee", Section::motion, 3);
    EXPECT_EQ(n.feed.next(cursor, 7),
              R"({"type":"state","full":false,"now":7.000,"robots":{"bee":{"motion":3}}})");
    n.set("bee", Section::motion, 3);
    EXPECT_EQ(n.feed.next(cursor, 8), "") << "touched, and still the same";
}

TEST(FleetFeed, TellsAnEmptyFleetOnce) {
    Numbers n;
    FleetFeed::Cursor cursor;
    EXPECT_THAT(n.feed.next(cursor, 1), HasSubstr(R"("robots":{})"));
    EXPECT_EQ(n.feed.next(cursor, 2), "");
}

TEST(FleetFeed, TellsScansOnlyToWhoAskedForThem) {
    Numbers n;
    n.set("ada", Section::scan, 1);
    n.set("bee", Section::scan, 2);
    FleetFeed::Cursor cursor;
    EXPECT_THAT(n.feed.next(cursor, 1), Not(HasSubstr("scan")));
    EXPECT_EQ(n.written, 0);
    FleetFeed::watch(cursor, {"bee"}, {views::View::scan});
    EXPECT_THAT(n.feed.next(cursor, 2), HasSubstr(R"("bee":{"scan":2})"));
    EXPECT_EQ(n.feed.next(cursor, 3), "");
    FleetFeed::watch(cursor, {}, {});
    n.set("bee", Section::scan, 4);
    EXPECT_EQ(n.feed.next(cursor, 4), "");
}

TEST(FleetFeed, WritesASectionOnceForAllWatchers) {
    Numbers n;
    n.set("ada", Section::status, 1);
    std::vector<FleetFeed::Cursor> cursors(10);
    for (auto& cursor : cursors) n.feed.next(cursor, 1);
    EXPECT_EQ(n.written, 1);
}

RC_GTEST_PROP(FleetFeed, LeadsEveryWatcherToTheWholePicture, ()) {
    Numbers n;
    struct One {
        FleetFeed::Cursor cursor;
        Numbers::Picture picture;
    };
    std::vector<One> watchers(3);
    for (One& w : watchers) FleetFeed::watch(w.cursor, {"0", "1", "2"}, {views::View::scan});
    for (int i = *rc::gen::inRange(0, 60); i > 0; --i) {
        const int what = *rc::gen::inRange(0, 6);
        if (what < 3)
            n.set(std::to_string(*rc::gen::inRange(0, 3)), static_cast<Section>(*rc::gen::inRange(0, 4)),
                  *rc::gen::inRange(0, 3));
        else
            Numbers::apply(watchers[static_cast<std::size_t>(what - 3)].picture,
                           n.feed.next(watchers[static_cast<std::size_t>(what - 3)].cursor, i));
    }
    for (One& w : watchers) {
        Numbers::apply(w.picture, n.feed.next(w.cursor, 100));
        RC_ASSERT(w.picture == n.values);
    }
}

}  // namespace
}  // namespace caribou::station
