#include "marine/view_feed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_node.hpp"
#include "bus/mission.hpp"
#include "marine/fields.hpp"
#include "marine/golden_lines.hpp"
#include "marine/replay.hpp"

namespace caribou::marine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::string_view mission_text = R"(
Community = shore
LatOrigin = 43.8253
LongOrigin = -70.3304
ProcessConfig = pMarineViewer
{
  tiff_file = null.tif
  zoom = 0.65
  hash_delta = 50
  stale_report_thresh = 30
  button_one = DEPLOY # DEPLOY=true
  button_one = MOOS_MANUAL_OVERRIDE=false # RETURN=false
  button_two = RETURN # RETURN_$[VNAME]=true # color=pink
  action = SPEED=1.5
  scope = DEPLOY
  left_context[point] = PT_CLICK=x=$(XPOS),y=$(YPOS),lat=$(LAT),lon=$(LON),ix=$(IX),v=$(VNAME),h=$(HDG)
  right_context = RC=$(X),$(Y)
  polygon_viewable_labels = false
  op_vertex = x=0,y=0,group=op,lcolor=yellow,looped=true
  op_vertex = x=100,y=0,group=op
  zooom = 3
}
)";

ViewConfig example_config() {
    return view_config(
        bus::parse_moos_mission(mission_text, "shore.moos", [](auto) { return std::nullopt; }));
}

class FeedTest : public testing::Test {
protected:
    std::vector<std::string> written;
    ViewFeed feed{
        example_config(), [this](const wire::MessageView& value) -> Result<void> {
            written.push_back(std::string(value.key) + "=" +
                              (value.is_number() ? std::to_string(value.value) : std::string(value.payload)));
            return {};
        }};
    double now = 1000;

    void post(std::string_view variable, std::string_view text, std::string_view community = "abe") {
        feed.on_value({.type = wire::MessageType::notify,
                       .data_type = wire::DataType::string,
                       .source = "pTest",
                       .community = community,
                       .key = variable,
                       .payload = text},
                      now);
    }
    std::string body_of(const std::string& query) {
        return feed.answer({.target = "/marine/events.json?" + query, .host = "localhost"}, now).value().body;
    }
    data::MarineEvents ask(std::uint64_t after = 0) {
        const auto node = read_json(body_of("after=" + std::to_string(after)));
        return data::from_json<data::MarineEvents>(node.value(), "events").value();
    }
    WebAnswer press(std::string body, std::string origin = "") {
        return feed
            .answer({.method = "POST",
                     .target = "/marine/press",
                     .body = std::move(body),
                     .host = "localhost:9080",
                     .origin = std::move(origin)},
                    now)
            .value();
    }
};

TEST(ViewConfig, ReadsTheBlockOfAMarineViewer) {
    const ViewConfig config = example_config();
    ASSERT_THAT(config.shown.buttons, SizeIs(2));
    EXPECT_EQ(config.shown.buttons[0].label, "DEPLOY");
    EXPECT_THAT(config.shown.buttons[0].pokes,
                ElementsAre("DEPLOY=true", "MOOS_MANUAL_OVERRIDE=false", "RETURN=false"));
    EXPECT_EQ(config.shown.buttons[1].color, "#ffc0cb");
    EXPECT_EQ(config.shown.actions[0].label, "SPEED=1.5");
    EXPECT_EQ(config.shown.stale_after, 30);
    EXPECT_EQ(config.shown.grid_step, 50);
    EXPECT_THAT(config.shown.hidden_labels, ElementsAre("polygon"));
    ASSERT_THAT(config.shown.areas, SizeIs(1));
    EXPECT_THAT(config.shown.areas[0].points, SizeIs(2));
    std::vector<std::string> findings;
    for (const auto& finding : config.findings) findings.push_back(bus::to_string("shore.moos", finding));
    EXPECT_THAT(findings, Contains(HasSubstr("shore.moos:8: warning: `zoom` has no effect here")));
    EXPECT_THAT(findings,
                Contains(HasSubstr("shore.moos:21: warning: `zooom` is not a word of pMarineViewer")));
}

TEST(ViewConfig, ReadsTheEdgesOfABackground) {
    const auto geodesy = Geodesy::make({43.8253, -70.3304}).value();
    const auto edges = background_edges(
        "// MIT\nlat_north = 43.8263\nlat_south=43.8243\nlon_east = -70.3290\nlon_west = -70.3320\n",
        &geodesy);
    ASSERT_TRUE(edges);
    EXPECT_NEAR(edges->north, 111, 3);
    EXPECT_NEAR(edges->west, -128, 3);
    EXPECT_FALSE(background_edges("lat_north = 43", &geodesy));
}

TEST_F(FeedTest, AShapeIsReplacedByItsLabelInItsCommunityAndErased) {
    post("VIEW_POINT", "x=1,y=2,label=a");
    post("VIEW_POINT", "x=5,y=6,label=a,vertex_color=lime");
    post("VIEW_POINT", "x=7,y=8,label=a", "ben");
    auto all = ask();
    EXPECT_TRUE(all.complete);
    ASSERT_THAT(all.events, SizeIs(2));
    EXPECT_EQ(all.events[0].shape->points[0], (Vec2{5, 6}));
    EXPECT_EQ(all.events[0].shape->vertex_color, "#00ff00");
    post("VIEW_POINT", "x=0,y=0,active=false,label=a");
    const auto more = ask(all.next);
    EXPECT_FALSE(more.complete);
    ASSERT_THAT(more.events, SizeIs(1));
    EXPECT_THAT(more.events[0].erased, ElementsAre("abe/point/a"));
    EXPECT_THAT(ask().events, SizeIs(1));
}

TEST_F(FeedTest, ShapesEndWithTheirDuration) {
    post("VIEW_RANGE_PULSE", "x=1,y=2,radius=50,duration=15,linger=3");
    post("VIEW_POINT", "x=1,y=2,label=p,duration=5");
    EXPECT_THAT(ask().events, SizeIs(2));
    now += 6;
    EXPECT_THAT(ask().events, SizeIs(1));
    now += 13;
    EXPECT_THAT(ask().events, SizeIs(0));
}

TEST_F(FeedTest, PmvClearErasesByCommunityAndKind) {
    post("VIEW_POINT", "x=1,y=2,label=p");
    post("VIEW_SEGLIST", "pts={1,2:3,4},label=s");
    post("VIEW_POINT", "x=1,y=2,label=p", "ben");
    post("PMV_CLEAR", "vname=abe,shape=points");
    EXPECT_THAT(ask().events, SizeIs(2));
    post("PMV_CLEAR", "bogus=1");
    EXPECT_EQ(ask().refused, 1U);
}

TEST_F(FeedTest, AVehicleHasATrailAndAPosition) {
    post("NODE_REPORT", "NAME=abe,X=1,Y=2,SPD=1,HDG=90,TYPE=kayak,TIME=1000,MODE=" + std::string(9000, 'm'));
    post("NODE_REPORT", "NAME=abe,X=2,Y=2,SPD=1,HDG=90,TYPE=kayak,TIME=1001,COLOR=yellow");
    const auto all = ask();
    ASSERT_THAT(all.events, SizeIs(2));
    EXPECT_EQ(all.events[0].vehicle->x, 1);
    EXPECT_EQ(all.events[0].vehicle->mode, "") << "of its past, only the place is kept";
    EXPECT_EQ(all.events[1].vehicle->color, "#ffff00");
    EXPECT_NEAR(all.events[1].vehicle->latitude, 43.8253, 1e-3);
    EXPECT_EQ(all.events[1].vehicle->length, 3);
}

TEST_F(FeedTest, CellsOfAGridChange) {
    post("VIEW_GRID",
         "pts={0,0:40,0:40,40:0,40},cell_size=20,cell_vars=x:0,cell_max=x:50,cell=2:x:7,label=g");
    const auto all = ask();
    ASSERT_THAT(all.events, SizeIs(1));
    EXPECT_THAT(all.events[0].shape->grid->values, ElementsAre(0, 0, 7, 0));
    post("VIEW_GRID_DELTA", "g@1,x,-3:2,x,4");
    const auto more = ask(all.next);
    ASSERT_THAT(more.events, SizeIs(1));
    EXPECT_EQ(more.events[0].cells->key, "abe/grid/g");
    EXPECT_THAT(more.events[0].cells->cells, ElementsAre(1, 2));
    EXPECT_THAT(more.events[0].cells->values, ElementsAre(-3, 11));
    EXPECT_EQ(more.events[0].cells->least, -3);
    EXPECT_EQ(more.events[0].cells->most, 50);
    EXPECT_THAT(ask().events[0].shape->grid->values, ElementsAre(0, -3, 11, 0))
        << "for a page that opens later";
}

TEST_F(FeedTest, ChangesOfAnUnknownGridAreRefused) {
    post("VIEW_GRID", "pts={0,0:40,0:40,40:0,40},cell_size=20,label=g");
    post("VIEW_GRID_DELTA", "h@0,1");
    post("VIEW_GRID_DELTA", "g@0,1", "ben");
    post("VIEW_GRID_DELTA", "g");
    EXPECT_THAT(ask().refusals, ElementsAre("VIEW_GRID_DELTA from pTest: there is no grid `h` of abe",
                                            "VIEW_GRID_DELTA from pTest: there is no grid `g` of ben",
                                            "VIEW_GRID_DELTA from pTest: expected label@cell,VAR,value…"));
}

/// Long values, as of a hostile program, must not fill the memory of the broker.
TEST_F(FeedTest, TheMemoryOfShapesAndEventsIsLimited) {
    const std::string label(200'000, 'l');
    for (int i = 0; i < 400; ++i) post("VIEW_POINT", "x=1,y=2,label=" + std::to_string(i) + label);
    EXPECT_THAT(body_of("after=0").size(),
                testing::AllOf(testing::Gt(1_MiB), testing::Le(Scene::most_memory)));
    EXPECT_THAT(body_of("after=1"), HasSubstr("\"complete\":true")) << "the first events are no longer kept";
    post("VIEW_POINT", "x=1,y=2,label=" + label + label);
    EXPECT_THAT(ask(401).refusals, ElementsAre("VIEW_POINT from pTest: longer than 262144 bytes"));
    ask(401);
    EXPECT_LT(written.back().size(), 1000U) << "of MVIEWER_UNHANDLED_MAIL";
}

TEST_F(FeedTest, RefusedValuesArePublishedAsTheViewerDoes) {
    post("VIEW_POLYGON", "pts={0,0:10,0:0,10:10,10},label=bow");
    post("NODE_REPORT", "NAME=abe,X=1,Y=2,SPD=1,HDG=90,TYPE=kayak");
    ask(1);
    EXPECT_THAT(written, ElementsAre("MVIEWER_UNHANDLED_MAIL=Unhandled Mail: var=VIEW_POLYGON, src=pTest "
                                     "[pts={0,0:10,0:0,10:10,10},label=bow]",
                                     "MVIEWER_UNHANDLED_MAIL=Unhandled Mail: var=NODE_REPORT, src=pTest, "
                                     "reason=:Missing timestamp. "
                                     "[NAME=abe,X=1,Y=2,SPD=1,HDG=90,TYPE=kayak]"));
}

TEST_F(FeedTest, APageThatOpensAsksHelmsForTheirShapes) {
    ask();
    EXPECT_THAT(written, ElementsAre("HELM_MAP_CLEAR=0.000000", "PMV_CONNECT=0.000000"));
    ask();
    EXPECT_THAT(written, SizeIs(2)) << "not again at once";
}

TEST_F(FeedTest, ButtonsAndClicksPublish) {
    press("kind=button&index=0");
    EXPECT_THAT(written, ElementsAre("DEPLOY=true", "MOOS_MANUAL_OVERRIDE=false", "RETURN=false"));
    written.clear();
    press("kind=button&index=1&vehicle=abe");
    EXPECT_THAT(written, ElementsAre("RETURN_ABE=true"));
    written.clear();
    press("kind=action&index=0");
    EXPECT_THAT(written, ElementsAre("SPEED=1.500000"));
    written.clear();
    post("NODE_REPORT", "NAME=abe,X=0,Y=0,SPD=1,HDG=90,TYPE=kayak,TIME=1000");
    press("kind=click&side=left&menu=point&x=-29.1&y=-139.4&vehicle=abe");
    ASSERT_THAT(written, SizeIs(2));
    EXPECT_THAT(written[0], HasSubstr("MVIEWER_LCLICK=x=-29.1,y=-139.4,lat=43.8240"));
    EXPECT_THAT(written[0], HasSubstr(",vname=abe,counter=0"));
    EXPECT_THAT(written[1], HasSubstr("PT_CLICK=x=-29.1,y=-139.4,lat=43.8240"));
    EXPECT_THAT(written[1], HasSubstr(",ix=0,v=abe,h=191.79"));
    written.clear();
    press("kind=click&side=right&x=-29.7&y=-140.8");
    EXPECT_THAT(written, Contains("RC=-30,-141"));
}

TEST_F(FeedTest, AClickWithoutAPlacePublishesNothing) {
    for (const char* const place : {"", "&x=1", "&x=1&y=north", "&x=1e400&y=2", "&x=1&y=2e9"})
        EXPECT_EQ(press(std::string("kind=click&side=left&menu=point") + place).status, 400U) << place;
    EXPECT_THAT(written, SizeIs(0));
}

/// As pMarineViewer did in the same community, with the same clicks.
TEST_F(FeedTest, PublishesWhatTheViewerPublished) {
    const auto captured = [](const std::string& variable, std::size_t i = 0) {
        return golden_lines("viewer_strings.txt", variable + " |").at(i).at(2);
    };
    const auto number = [](std::string_view text, std::string_view name) {
        for (const TextField& field : fields_in(text))
            if (field.name == name) return std::stod(std::string(field.value));
        return -1.0;
    };
    for (const auto& [variable, body] :
         {std::pair{"MVIEWER_LCLICK", "kind=click&side=left&x=-29.1&y=-139.4&vehicle=abe"},
          {"MVIEWER_RCLICK", "kind=click&side=right&x=-29.7&y=-140.8&vehicle=abe"}}) {
        written.clear();
        press(body);
        const std::string ours = written.at(0).substr(written.at(0).find('=') + 1);
        const std::string theirs = captured(variable);
        const auto without_place = [](std::string text) {
            return text.substr(0, text.find(",lat=")) + text.substr(text.find(",vname="));
        };
        EXPECT_EQ(without_place(ours), without_place(theirs));
        EXPECT_NEAR(number(ours, "lat"), number(theirs, "lat"), 2e-7);
        EXPECT_NEAR(number(ours, "lon"), number(theirs, "lon"), 2e-7);
    }
    EXPECT_THAT(written, Contains("RC=" + captured("RC")));
    written.clear();
    press("kind=button&index=0");
    EXPECT_THAT(written, testing::IsSupersetOf({"DEPLOY=" + captured("DEPLOY"),
                                                "MOOS_MANUAL_OVERRIDE=" + captured("MOOS_MANUAL_OVERRIDE")}));
    ask();
    written.clear();
    const auto unhandled = golden_lines("viewer_strings.txt", "MVIEWER_UNHANDLED_MAIL");
    EXPECT_EQ(unhandled.size(), 4U);
    for (const auto& row : unhandled) {
        const std::string& text = row.at(2);
        const auto part = [&](std::string_view begin, std::string_view end) {
            const std::size_t at = text.find(begin) + begin.size();
            return text.substr(at, text.find(end, at) - at);
        };
        const std::string variable = part("var=", ",");
        const std::string source = part("src=", variable == "NODE_REPORT" ? "," : " [");
        const std::string value = text.substr(text.find(" [") + 2, text.size() - text.find(" [") - 3);
        feed.on_value(
            {.data_type = wire::DataType::string, .source = source, .key = variable, .payload = value}, now);
        ask(1);
        EXPECT_EQ(written.back(), "MVIEWER_UNHANDLED_MAIL=" + text);
    }
}

TEST_F(FeedTest, OtherSitesPublishNothing) {
    EXPECT_EQ(press("kind=button&index=0", "http://evil.example").status, 403U);
    const auto rebound = feed.answer(
        {.method = "POST", .target = "/marine/press", .body = "kind=button&index=0", .host = "evil.example"},
        now);
    EXPECT_EQ(rebound.value().status, 403U);
    EXPECT_EQ(press("kind=button&index=9").status, 400U);
    EXPECT_THAT(written, SizeIs(0));
}

TEST(MarineReplay, JoinsTheLogsOfSeveralVehicles) {
    const std::string abe =
        "%% LOGSTART 1000.0\n"
        "1.000 NODE_REPORT_LOCAL pNodeReporter NAME=abe,X=1,Y=2,SPD=1,HDG=90,TYPE=kayak,TIME=1001\n"
        "2.000 VIEW_POINT pHelm x=1,y=2,label=p\n";
    const std::string ben =
        "%% LOGSTART 1000.5\n"
        "1.000 NODE_REPORT_LOCAL pNodeReporter NAME=ben,X=1,Y=2,SPD=1,HDG=90,TYPE=kayak,TIME=1001.5\n"
        "2.000 VIEW_POINT pHelm x=3,y=4,label=p\n";
    const auto replay = replay_events({{"abe", abe}, {"ben", ben}}, view_config({}));
    ASSERT_TRUE(replay) << replay.error().message;
    ASSERT_THAT(replay->events, SizeIs(4));
    EXPECT_EQ(replay->events[1].vehicle->name, "ben");
    EXPECT_EQ(replay->events[3].shape->key, "ben/point/p");
    EXPECT_DOUBLE_EQ(replay->start, 1000);
    EXPECT_DOUBLE_EQ(replay->end, 1002.5);
}

}  // namespace
}  // namespace caribou::marine
