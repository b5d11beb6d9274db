#include "bus/app_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/app_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(AppFrame, StartsUpOnceAndTellsOfEachConnection) {
    AppRig rig;
    rig.app.variables = {"X"};
    rig.connect();
    EXPECT_EQ(rig.app.start_ups, 1);
    EXPECT_EQ(rig.app.connects, 1);
    EXPECT_THAT(keys(rig.broker().messages(wire::MessageType::register_)), ElementsAre("X"));
    rig.broker().end();
    rig.loop.run_ready();
    rig.welcome();
    EXPECT_EQ(rig.app.start_ups, 1);
    EXPECT_EQ(rig.app.connects, 2);
}

TEST(AppFrame, DoesNotStartWithAnAppThatCannot) {
    AppRig rig;
    rig.app.start_up_result = fail(Code::not_found, "no sensor");
    const auto started = rig.frame.start(rig.app);
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().message, "no sensor");
    rig.loop.advance(5s);
    EXPECT_THAT(rig.connections, IsEmpty());
    EXPECT_THAT(rig.app.calls, IsEmpty());
}

TEST(AppFrame, TellsOnceThatThereIsNoBroker) {
    AppRig rig;
    rig.listener.reset();
    ASSERT_TRUE(rig.frame.start(rig.app));
    rig.loop.advance(1min);
    EXPECT_EQ(std::ranges::count_if(
                  rig.log.lines, [](const auto& line) { return line.text.contains("no broker answers at"); }),
              1);
}

TEST(AppFrame, ReportsNoMissingBrokerIfTheBrokerRefuses) {
    AppRig rig;
    ASSERT_TRUE(rig.frame.start(rig.app));
    std::size_t refused = 0;
    for (int i = 0; i < 100; ++i) {
        rig.loop.advance(100ms);
        for (; refused < rig.connections.size() && !rig.connections[refused]->heard().empty(); ++refused)
            rig.connections[refused]->send(ClientRig::poison("A client of this name already exists"));
    }
    EXPECT_GT(refused, 2U);
    EXPECT_TRUE(rig.log.mentions("the broker refused pTest: A client of this name already exists"));
    EXPECT_FALSE(rig.log.mentions("no broker answers"));
}

TEST(AppFrame, ReportsCallbacksThatTakeTooLong) {
    AppRig rig({.app_tick = 1});
    rig.app.iterate_takes = [] { return 6s; };
    rig.connect();
    rig.loop.advance(10s);
    EXPECT_TRUE(rig.log.mentions("callbacks of the app took 6.0 s"));
}

TEST(AppFrame, IteratesOnlyWhileConnectedUnlessTold) {
    AppRig rig({.app_tick = 10});
    rig.connect();
    rig.loop.advance(1s);
    const std::size_t before = rig.app.calls.size();
    EXPECT_EQ(before, 11u);
    rig.listener.reset();
    rig.broker().end();
    rig.loop.advance(1s);
    EXPECT_EQ(rig.app.calls.size(), before);

    AppRig told({.app_tick = 10, .iterate_without_comms = true});
    told.listener.reset();
    ASSERT_TRUE(told.frame.start(told.app));
    told.loop.advance(1s);
    EXPECT_EQ(told.app.calls.size(), 11u);
    AppRig alone({.app_tick = 10, .use_comms = false});
    ASSERT_TRUE(alone.frame.start(alone.app));
    alone.loop.advance(1s);
    EXPECT_EQ(alone.app.calls.size(), 11u);
    EXPECT_THAT(alone.connections, IsEmpty());
}

TEST(AppFrame, DoesNotDriftInALongRun) {
    AppRig rig({.app_tick = 3, .use_comms = false});
    ASSERT_TRUE(rig.frame.start(rig.app));
    rig.loop.advance(1h);
    ASSERT_THAT(rig.app.calls, SizeIs(3 * 3600 + 1));
    EXPECT_EQ(rig.app.calls.back().at, 1h);
}

TEST(AppFrame, IteratesAsFastAsPossibleWithoutATick) {
    AppRig rig({.app_tick = 0, .use_comms = false});
    rig.app.iterate_takes = [] { return 1ms; };
    ASSERT_TRUE(rig.frame.start(rig.app));
    rig.loop.advance(1s);
    EXPECT_NEAR(static_cast<double>(rig.app.calls.size()), 1000, 2);
    EXPECT_EQ(rig.frame.overruns(), 0u);
}

TEST(AppFrame, CountsAndPublishesOverruns) {
    AppRig rig({.app_tick = 10});
    rig.app.iterate_takes = [] { return 150ms; };
    rig.connect();
    rig.loop.advance(2s);
    EXPECT_EQ(rig.app.calls.at(10).at - rig.app.calls.at(0).at, 2s) << "each call takes two periods";
    EXPECT_EQ(rig.frame.overruns(), rig.app.calls.size());
    EXPECT_THAT(rig.published("PTEST_OVERRUNS"), SizeIs(1));
}

TEST(AppFrame, IteratesLateRatherThanNotWhenMailTakesLong) {
    AppRig rig({.app_tick = 10, .max_app_tick = 0, .iterate_mode = 2});
    rig.app.on_mail_takes = [] { return 30ms; };
    rig.connect();
    rig.loop.advance(90ms);
    rig.broker().send(ClientRig::number("X", 1));
    rig.loop.advance(200ms);
    ASSERT_THAT(rig.app.calls, SizeIs(4));
    EXPECT_EQ(rig.app.calls[1].mail, 1u);
    EXPECT_EQ(rig.app.calls[2].at - rig.app.calls[0].at, 120ms) << "late";
    EXPECT_EQ(rig.app.calls[3].at - rig.app.calls[0].at, 200ms) << "and on the grid again";
    EXPECT_EQ(rig.frame.overruns(), 0u);
}

TEST(AppFrame, SortsMailByTimeUnlessTold) {
    for (const bool sorted : {true, false}) {
        AppRig rig({.iterate_mode = 1, .sort_mail_by_time = sorted});
        rig.connect();
        rig.loop.advance(1s);
        auto late = ClientRig::number("LATE", 1);
        late.time = 9;
        auto early = ClientRig::number("EARLY", 1);
        early.time = 3;
        rig.broker().send(Packet{late, early});
        rig.loop.advance(1s);
        EXPECT_THAT(rig.app.keys, sorted ? ElementsAre("EARLY", "LATE") : ElementsAre("LATE", "EARLY"));
    }
}

TEST(AppFrame, TellsItsStatusEveryTwoSeconds) {
    AppRig rig;
    rig.app.variables = {"NAV_X", "NAV_Y"};
    rig.app.on_iterate = [&]() -> Result<void> {
        rig.app.notify("DEPTH", 4.5);
        return {};
    };
    rig.connect();
    rig.loop.advance(4s);
    const auto told = rig.published("PTEST_STATUS");
    ASSERT_THAT(told, SizeIs(2));
    EXPECT_EQ(told[0].payload,
              "AppErrorFlag=false,Uptime=2,cpuload=0.2500,memory_kb=100,memory_max_kb=200,MOOSName=pTest,"
              "Publishing=\"DEPTH,\",Subscribing=\"NAV_X,NAV_Y,\"");
    EXPECT_THAT(told[1].payload, HasSubstr("Publishing=\"DEPTH,PTEST_STATUS,\""));
}

TEST(AppFrame, ShowsErrorsInItsStatusAndLogsThemSeldom) {
    AppRig rig({.app_tick = 100});
    rig.app.on_iterate = [] { return fail(Code::io, "the sonar is wet"); };
    rig.connect();
    rig.loop.advance(2s);
    EXPECT_THAT(rig.published("PTEST_STATUS").at(0).payload, HasSubstr("AppErrorFlag=true"));
    EXPECT_TRUE(rig.log.mentions("pTest: the sonar is wet"));
    EXPECT_LT(rig.log.lines.size(), 12u);
}

TEST(AppFrame, EndsWhenIterateFailsIfTold) {
    AppRig rig({.quit_on_iterate_fail = true});
    rig.app.on_iterate = [] { return fail(Code::io, "the sonar is wet"); };
    std::optional<Error> why;
    rig.frame.on_end([&](const std::optional<Error>& error) { why = error; });
    rig.connect();
    rig.loop.advance(2s);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->message, "the sonar is wet");
    EXPECT_THAT(rig.app.calls, SizeIs(1));
    EXPECT_FALSE(rig.frame.comms().connected());
}

TEST(AppFrame, SendsWhatIsLeftBeforeItEnds) {
    AppRig rig;
    int ends = 0;
    rig.frame.on_end([&](const std::optional<Error>& error) {
        ++ends;
        EXPECT_FALSE(error);
    });
    rig.connect();
    rig.app.notify("LAST", "word");
    rig.app.quit();
    rig.loop.advance(2s);
    EXPECT_EQ(ends, 1);
    EXPECT_THAT(rig.published("LAST"), SizeIs(1));
}

TEST(AppFrame, TakesCommands) {
    for (const bool filtered : {false, true}) {
        AppRig rig({.catch_command_messages = true, .filter_command_messages = filtered});
        rig.connect();
        rig.loop.advance(1s);
        EXPECT_THAT(keys(rig.broker().messages(wire::MessageType::register_)), ElementsAre("PTEST_CMD"));
        wire::Message command = ClientRig::number("PTEST_CMD", 0);
        command.data_type = wire::DataType::string;
        command.payload = "surface";
        rig.broker().send(command);
        rig.loop.advance(1s);
        EXPECT_THAT(rig.app.commands, ElementsAre("surface"));
        EXPECT_THAT(rig.app.keys, SizeIs(filtered ? 0 : 1));
    }
}

TEST(AppFrame, RunsFasterUnderATimeWarp) {
    AppRig rig({.time_warp = 10, .app_tick = 5});
    rig.connect();
    rig.loop.advance(1s);
    EXPECT_NEAR(static_cast<double>(rig.app.calls.size()), 51, 1);
    rig.loop.advance(1s);
    EXPECT_THAT(rig.published("PTEST_STATUS"), SizeIs(1)) << "as often as without";
}

TEST(AppFrame, StampsAsMoosProgramsDoUnderATimeWarp) {
    AppRig rig({.time_warp = 10, .app_tick = 5});
    rig.connect();
    rig.loop.advance(3s);
    const auto status = rig.published("PTEST_STATUS");
    ASSERT_FALSE(status.empty());
    EXPECT_NEAR(status[0].time, 10 * rig.loop.clock().unix_seconds(), 20);
}

TEST(AppFrame, TellsNewValuesFromThoseBeforeItsStart) {
    for (const double warp : {1.0, 10.0}) {
        AppRig rig({.time_warp = warp});
        const double start = warp * rig.loop.clock().unix_seconds();
        rig.connect();
        rig.loop.advance(1s);
        wire::Message value = ClientRig::number("X", 0);
        value.time = start - 1;
        EXPECT_FALSE(rig.app.is_new(value)) << warp;
        value.time = start + 1;
        EXPECT_TRUE(rig.app.is_new(value)) << warp;
    }
}

TEST(AppFrame, PublishesReportsOnRequest) {
    AppRig rig;
    rig.app.appcast([&] { return "Depth: 4 m\n\nok\n"; });
    rig.app.variables = {"X"};
    rig.connect();
    rig.loop.advance(1s);
    ASSERT_THAT(rig.published("APPCAST"), SizeIs(1)) << "the first iteration reports without a request";
    EXPECT_EQ(rig.published("APPCAST").at(0).payload,
              "proc=pTest!@#iter=1!@#node=vecs!@#iter=1!@#messages=Depth: 4 m!@!@ok!@!@#!@#"
              "events_total=0!@#!@#run_warning_total=0!@#");
    rig.broker().send(wire::Message{.type = wire::MessageType::notify,
                                    .data_type = wire::DataType::string,
                                    .key = "APPCAST_REQ",
                                    .payload = "node=all,app=pTest,duration=2,key=k,thresh=any"});
    rig.loop.advance(4s);
    EXPECT_THAT(rig.published("APPCAST"), SizeIs(testing::AllOf(testing::Ge(4u), testing::Le(7u))));
    EXPECT_THAT(rig.app.keys, IsEmpty()) << "requests are not the mail of the app";
}

TEST(AppFrame, PublishesItsLoadOnRequest) {
    AppRig rig({.app_tick = 10});
    rig.app.appcast([] { return ""; });
    rig.app.iterate_takes = [] { return 50ms; };
    rig.connect();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.published("PTEST_ITER_GAP"), IsEmpty());
    rig.broker().send(wire::Message{.type = wire::MessageType::notify,
                                    .data_type = wire::DataType::string,
                                    .key = "LOADCAST_REQ",
                                    .payload = "app=pTest,thresh=1.5, duration=30"});
    rig.loop.advance(1s);
    ASSERT_THAT(rig.published("PTEST_ITER_GAP"), SizeIs(testing::Ge(8u)));
    EXPECT_NEAR(rig.published("PTEST_ITER_GAP").back().value, 1, 0.01);
    EXPECT_NEAR(rig.published("PTEST_ITER_LEN").back().value, 0.5, 0.01);
    EXPECT_THAT(rig.app.keys, IsEmpty()) << "requests are not the mail of the app";
}

TEST(AppFrame, ReportsErrorsEventsAndWarnings) {
    AppRig rig;
    rig.app.appcast([] { return ""; });
    rig.app.on_iterate = [&]() -> Result<void> {
        rig.app.add_event("started");
        rig.app.add_config_warning("bogus");
        return fail(Code::io, "the sonar is wet");
    };
    rig.connect();
    rig.loop.run_ready();
    ASSERT_THAT(rig.published("APPCAST"), SizeIs(1));
    EXPECT_THAT(
        rig.published("APPCAST").at(0).payload,
        testing::EndsWith("!@#messages=!@#config_warnings=bogus!@#events_total=1!@#events=[0.00]: started!@#"
                          "run_warning_total=1!@#run_warnings=1:the sonar is wet"));
}

TEST(AppFrame, PublishesNoReportsUnlessTheAppWantsTo) {
    AppRig rig;
    rig.connect();
    rig.loop.advance(2s);
    EXPECT_THAT(rig.published("APPCAST"), IsEmpty());
    EXPECT_FALSE(rig.app.parameters().knows("TERM_REPORT_INTERVAL"));
}

}  // namespace
}  // namespace caribou::bus
