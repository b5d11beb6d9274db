#include "marine/helm.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>

#include "bus/app_trial.hpp"
#include "marine/autopilot.hpp"
#include "marine/autopilot_app.hpp"
#include "marine/fields.hpp"
#include "marine/golden_lines.hpp"
#include "marine/helm_app.hpp"
#include "marine/node_reporter_app.hpp"
#include "marine/vehicle.hpp"
#include "marine/vehicle_app.hpp"

namespace caribou::marine {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view small_tree = R"({
  "base": "harbor",
  "behaviors": [
    {"class": "strict_priority", "id": "harbor", "children": ["return", "survey"]},
    {"class": "act", "id": "return", "wants": {"fact": "bus:RETURN"}, "cancel": {"not": {"fact": "bus:RETURN"}},
     "action": {"sequence": [{"waypoints": "0,0", "speed": 1.5}, {"station_keep": "0,0"}]}},
    {"class": "act", "id": "survey", "wants": {"fact": "bus:DEPLOY"},
     "action": {"sequence": [{"waypoints": "60,0:60,40", "speed": 2}, {"post": "DEPLOY", "value": "false"}]}}
  ]
})";

std::string text_of_post(const std::vector<HelmPost>& posts, std::string_view variable) {
    for (const HelmPost& post : posts)
        if (post.variable == variable) {
            const auto* text = std::get_if<std::string>(&post.value);
            return text ? *text : "a number";
        }
    return "";
}

/// A helm with a vehicle and its autopilot, in steps of 0.1 s.
class HelmVoyage : public testing::Test {
protected:
    std::unique_ptr<Helm> helm = Helm::make({.vehicle = "abe"}, "tree.json", small_tree).value();
    Vehicle vehicle{{.thrust_map = ThrustMap::parse("", 20, false).value(), .turn_rate = 95}, {}};
    Autopilot pilot{{.depth_control = false}};
    double time = 1000;
    std::vector<HelmPost> posts;

    std::vector<HelmPost> step() {
        time += 0.1;
        const auto& at = vehicle.state();
        helm->on_value("NAV_X", at.x, time);
        helm->on_value("NAV_Y", at.y, time);
        helm->on_value("NAV_SPEED", at.speed, time);
        helm->on_value("NAV_HEADING", at.heading, time);
        auto made = helm->step(Instant(from_seconds(time)), time);
        for (const HelmPost& post : made) {
            if (post.variable == "DESIRED_HEADING")
                pilot.set(Autopilot::Input::desired_heading, std::get<double>(post.value), time);
            if (post.variable == "DESIRED_SPEED")
                pilot.set(Autopilot::Input::desired_speed, std::get<double>(post.value), time);
            if (post.variable == "DEPLOY") helm->on_value("DEPLOY", std::get<std::string>(post.value), time);
        }
        pilot.set(Autopilot::Input::nav_heading, at.heading, time);
        pilot.set(Autopilot::Input::nav_speed, at.speed, time);
        if (const auto orders = pilot.step(time).orders) {
            vehicle.order_thrust(orders->thrust);
            vehicle.order_rudder(orders->rudder, Instant(from_seconds(time)));
        }
        vehicle.step(0.1);
        posts.insert(posts.end(), made.begin(), made.end());
        return made;
    }
    void tell(std::string_view variable, std::string_view value) {
        helm->on_value(variable, value, time);
        if (variable == "MOOS_MANUAL_OVERRIDE") pilot.set_override(value == "true");
    }
    bool sail_until(auto is_there) {
        for (int i = 0; i < 3000; ++i) {
            step();
            if (is_there()) return true;
        }
        return false;
    }
};

TEST_F(HelmVoyage, ParksUntilItIsGivenControl) {
    const auto first = step();
    EXPECT_EQ(text_of_post(first, "IVPHELM_STATE"), "PARK");
    EXPECT_EQ(text_of_post(first, "IVPHELM_ALLSTOP"), "ManualOverride");
    EXPECT_THAT(first, Contains(HelmPost{"DESIRED_SPEED", 0.0})) << "zeros once";
    EXPECT_EQ(text_of_post(step(), "DESIRED_SPEED"), "");
    tell("MOOS_MANUAL_OVERRIDE", "false");
    const auto idle = step();
    EXPECT_EQ(text_of_post(idle, "IVPHELM_STATE"), "DRIVE");
    EXPECT_EQ(text_of_post(idle, "IVPHELM_ALLSTOP"), "NothingToDo");
}

TEST_F(HelmVoyage, SailsItsWayPointsAndReturns) {
    tell("MOOS_MANUAL_OVERRIDE", "false");
    tell("DEPLOY", "true");
    step();
    EXPECT_EQ(helm->active_behavior(), "survey");
    EXPECT_EQ(text_of_post(posts, "VIEW_SEGLIST"),
              "pts={60,0:60,40},label=abe_survey,label_color=white,edge_color=white,vertex_color=dodger_blue,"
              "vertex_size=5,edge_size=1");
    EXPECT_TRUE(sail_until([&] { return vehicle.state().position().x > 55; }));
    EXPECT_TRUE(sail_until([&] { return distance(vehicle.state().position(), {60, 40}) < 4; }));
    tell("RETURN", "true");
    posts.clear();
    EXPECT_TRUE(sail_until([&] { return distance(vehicle.state().position(), {0, 0}) < 4; }));
    EXPECT_EQ(helm->active_behavior(), "return");
    std::vector<std::string> views;
    for (const HelmPost& post : posts)
        if (post.variable == "VIEW_SEGLIST") views.push_back(std::get<std::string>(post.value));
    EXPECT_THAT(views, Contains(HasSubstr("active=false,label=abe_survey")));
    EXPECT_THAT(views, Contains(HasSubstr("pts={0,0},label=abe_return")));
    for (int i = 0; i < 300; ++i) step();
    EXPECT_LT(distance(vehicle.state().position(), {0, 0}), 12) << "it stays there";
}

TEST_F(HelmVoyage, StopsWhenItsPositionIsStale) {
    tell("MOOS_MANUAL_OVERRIDE", "false");
    tell("DEPLOY", "true");
    step();
    time += 10;
    const auto late = helm->step(Instant(from_seconds(time)), time);
    EXPECT_EQ(text_of_post(late, "IVPHELM_ALLSTOP"), "BehaviorError");
    EXPECT_THAT(late, Contains(HelmPost{"DESIRED_SPEED", 0.0}));
}

/// Returns the names of a list of `name=value`.
std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    for (const TextField& field : fields_in(text)) names.push_back(field.name);
    return names;
}
std::vector<std::string> captured(const std::string& variable) {
    std::vector<std::string> values;
    for (const auto& row : golden_lines("helm_strings.txt", variable + " |")) values.push_back(row.at(5));
    return values;
}

TEST_F(HelmVoyage, WritesTheFormsThatPHelmIvPWrites) {
    tell("MOOS_MANUAL_OVERRIDE", "false");
    tell("DEPLOY", "true");
    step();
    EXPECT_EQ(names_in(text_of_post(posts, "WPT_STAT")), names_in(captured("WPT_STAT").at(0)));
    EXPECT_EQ(text_of_post(posts, "IVPHELM_BHV_ACTIVE"), "survey");
    EXPECT_EQ(captured("IVPHELM_BHV_ACTIVE").at(0), "waypt_survey");
    const auto full = names_in(captured("IVPHELM_SUMMARY").at(0));
    for (const std::string& name : names_in(text_of_post(posts, "IVPHELM_SUMMARY")))
        EXPECT_THAT(full, Contains(name));
    EXPECT_EQ(names_in(text_of_post(step(), "IVPHELM_SUMMARY")), names_in(captured("IVPHELM_SUMMARY").at(1)));
}

TEST_F(HelmVoyage, ShowsItsCourseAgainWhenAViewerAsks) {
    tell("MOOS_MANUAL_OVERRIDE", "false");
    tell("DEPLOY", "true");
    step();
    EXPECT_EQ(text_of_post(step(), "VIEW_SEGLIST"), "");
    helm->on_value("HELM_MAP_CLEAR", 0.0, time);
    EXPECT_THAT(text_of_post(step(), "VIEW_SEGLIST"), HasSubstr("label=abe_survey"));
}

TEST(Helm, ReadsTheTreeOfTheDocument) {
    std::ifstream file(tests::in_repository("docs/marine.md"));
    const std::string document{std::istreambuf_iterator<char>(file), {}};
    const std::size_t begin = document.find("```json\n") + 8;
    const auto helm =
        Helm::make({}, "patrol.json", document.substr(begin, document.find("```", begin) - begin));
    EXPECT_TRUE(helm) << helm.error().message;
}

TEST(Helm, ReportsWhatIsWrongWithATree) {
    const auto helm = Helm::make({}, "tree.json", R"({"base": "a", "behaviors": [
      {"class": "act", "id": "a", "action": {"waypoints": "one,two", "sped": 1}}]})");
    ASSERT_FALSE(helm);
    EXPECT_THAT(helm.error().message, HasSubstr("tree.json:2:"));
    EXPECT_THAT(helm.error().message, HasSubstr("did you mean `speed`?"));
}

TEST(VehicleApp, PublishesItsPositionAndObeysThrust) {
    bus::AppTrial trial({.name = "uSimMarine", .app_tick = 10});
    VehicleApp app(trial.frame());
    ASSERT_TRUE(trial.frame().parameters().set("prefix", "NAV"));
    ASSERT_TRUE(trial.frame().parameters().set("start_pos", "x=5,y=-20,heading=90"));
    ASSERT_TRUE(trial.start(app));
    trial.advance(1s);
    ASSERT_TRUE(trial.latest("NAV_X"));
    EXPECT_DOUBLE_EQ(trial.latest("NAV_X")->value, 5);
    EXPECT_DOUBLE_EQ(trial.latest("NAV_YAW")->value, -1.5707963267948966);
    EXPECT_EQ(trial.latest("SIMULATION_MODE")->payload, "TRUE");
    EXPECT_EQ(trial.latest("USM_DRIFT_SUMMARY")->payload, "ang=0, mag=0, xmag=0, ymag=0");
    trial.write("DESIRED_THRUST", 40);
    trial.advance(10s);
    EXPECT_NEAR(trial.latest("NAV_SPEED")->value, 2, 0.01);
    EXPECT_GT(trial.latest("NAV_X")->value, 20);
    trial.write("USM_RESET", "x=1,y=2,heading=0");
    trial.advance(200ms);
    EXPECT_EQ(trial.latest("USM_RESET_COUNT")->value, 1);
    EXPECT_NEAR(trial.latest("NAV_X")->value, 1, 0.5);
}

TEST(VehicleApp, PublishesWhatUSimMarinePublishesAtItsStart) {
    bus::AppTrial trial(
        {.name = "uSimMarine", .latitude_origin = 43.8253, .longitude_origin = -70.3304, .app_tick = 10});
    VehicleApp app(trial.frame());
    ASSERT_TRUE(trial.frame().parameters().set("prefix", "NAV"));
    ASSERT_TRUE(trial.frame().parameters().set("start_pos", "x=0,y=-20,heading=180"));
    ASSERT_TRUE(trial.start(app));
    trial.advance(1s);
    std::size_t compared = 0;
    for (const auto& row : golden_lines("helm_strings.txt", "")) {
        if (row.size() < 6 || row[1] != "uSimMarineV22") continue;
        const auto ours = trial.latest(row[0]);
        ASSERT_TRUE(ours) << row[0];
        if (row[4] == "S") {
            EXPECT_EQ(ours->payload, row[5]) << row[0];
        } else {
            EXPECT_NEAR(ours->value, std::stod(row[5]), 1.5e-7) << row[0];
        }
        ++compared;
    }
    EXPECT_GT(compared, 20U);
}

/// Returns the reports of an app, requested once per second.
std::string report_of(bus::AppTrial& trial) {
    trial.write("APPCAST_REQ", "node=all,app=all,duration=3,key=test,thresh=any");
    trial.advance(1s);
    const auto report = trial.latest("APPCAST");
    return report ? report->payload : "";
}

TEST(HelmApp, WarnsInItsReportWhileNavigationIsMissing) {
    bus::AppTrial trial({.name = "helm", .app_tick = 4});
    HelmApp app(trial.frame(),
                [](const std::string&) { return std::pair("tree.json", std::string(small_tree)); });
    ASSERT_TRUE(trial.frame().parameters().set("behaviors", "tree.json"));
    ASSERT_TRUE(trial.start(app));
    const auto feed = [&] {
        for (const char* const name : {"NAV_X", "NAV_Y", "NAV_SPEED", "NAV_HEADING"}) trial.write(name, 0);
    };
    constexpr const char* warning = "all-stop: NAV_X, NAV_Y, NAV_HEADING or NAV_SPEED is missing or stale";
    feed();
    trial.write("DEPLOY", "true");
    trial.write("MOOS_MANUAL_OVERRIDE", "false");
    EXPECT_THAT(report_of(trial), testing::AllOf(HasSubstr("All-stop: clear"), Not(HasSubstr(warning))));
    trial.advance(6s);
    EXPECT_THAT(report_of(trial), testing::AllOf(HasSubstr("All-stop: BehaviorError"), HasSubstr(warning)));
    feed();
    EXPECT_THAT(report_of(trial), Not(HasSubstr(warning)));
}

TEST(AutopilotApp, WarnsInItsReportOfTheInputThatTakesItsControl) {
    bus::AppTrial trial({.name = "pMarinePID", .app_tick = 20});
    AutopilotApp app(trial.frame());
    ASSERT_TRUE(trial.frame().parameters().set("depth_control", "false"));
    ASSERT_TRUE(trial.start(app));
    trial.write("MOOS_MANUAL_OVERRIDE", "false");
    trial.advance(200ms);
    const auto feed = [&] {
        for (const char* const name : {"NAV_SPEED", "NAV_HEADING", "DESIRED_HEADING", "DESIRED_SPEED"})
            trial.write(name, 1);
    };
    feed();
    EXPECT_THAT(report_of(trial), Not(HasSubstr("no control")));
    trial.advance(3s);
    EXPECT_THAT(report_of(trial), HasSubstr("no control: Stale NavHdg"));
    feed();
    EXPECT_THAT(report_of(trial), Not(HasSubstr("no control")));
}

TEST(NodeReporterApp, WarnsInItsReportWhileItRepeatsAnOldPosition) {
    bus::AppTrial trial({.name = "pNodeReporter", .app_tick = 4});
    NodeReporterApp app(trial.frame());
    ASSERT_TRUE(trial.start(app));
    trial.write("NAV_X", 3.5);
    trial.write("NAV_Y", -2);
    EXPECT_THAT(report_of(trial), Not(HasSubstr("the position is stale")));
    trial.advance(6s);
    EXPECT_THAT(report_of(trial), HasSubstr("the position is stale"));
    trial.write("NAV_X", 3.6);
    EXPECT_THAT(report_of(trial), Not(HasSubstr("the position is stale")));
}

TEST(NodeReporterApp, ReportsTheVehicle) {
    bus::AppTrial trial({.name = "pNodeReporter", .app_tick = 4});
    NodeReporterApp app(trial.frame());
    ASSERT_TRUE(trial.start(app));
    trial.write("NAV_X", 3.5);
    trial.write("NAV_Y", -2);
    trial.write("NAV_HEADING", 90);
    trial.write("IVPHELM_STATE", "DRIVE");
    trial.advance(1s);
    ASSERT_TRUE(trial.latest("NODE_REPORT_LOCAL"));
    const auto report = parse_node_report(trial.latest("NODE_REPORT_LOCAL")->payload);
    ASSERT_TRUE(report);
    EXPECT_EQ(*report->x, 3.5);
    EXPECT_EQ(report->mode, "DRIVE");
    EXPECT_EQ(report->type, "kayak");
    EXPECT_EQ(*report->length, 3);
}

}  // namespace
}  // namespace caribou::marine
