#include "bus/appcaster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

/// A caster of the app pA in the community alpha, in time that the test advances.
struct Caster {
    bool report() {
        if (!caster.due(now, now)) return false;
        last = caster.take(now);
        return true;
    }
    void request(const std::string& text) { caster.on_request(text, "pA", "alpha", now); }
    /// Returns how many reports there are in this time, at ten iterations per second.
    int reports_in(Duration time) {
        int count = 0;
        for (const Instant end = now + time; now < end; now += 100ms) count += report() ? 1 : 0;
        return count;
    }

    AppCaster::Settings settings;
    AppCaster caster{settings};
    Instant now{1h};
    AppCast last;
};

TEST(AppCaster, ReportsAtTheFirstIterationAndThenOnRequest) {
    Caster app;
    EXPECT_EQ(app.reports_in(10s), 1);
    app.request("node=all,app=all,duration=2,key=k,thresh=any");
    EXPECT_EQ(app.reports_in(10s), 5) << "every 0.4 s for 2 s";
}

TEST(AppCaster, AnswersRequestsThatConcernIt) {
    Caster app;
    app.report();
    app.request("node=beta,app=all,duration=2,key=k");
    app.request("node=all,app=pB,duration=2,key=k");
    app.request("node=all,app=PA,duration=2,key=k");
    app.request("node=all,app=all,duration=2");
    EXPECT_EQ(app.reports_in(3s), 0);
    app.request("node=alpha,app=pA,duration=2,key=k");
    EXPECT_GT(app.reports_in(3s), 0);
    app.request("duration=2,key=k");
    EXPECT_GT(app.reports_in(3s), 0);
}

TEST(AppCaster, KeepsOneRequestPerKeyAndCancelsIt) {
    Caster app;
    app.report();
    app.request("duration=20,key=a");
    app.request("duration=1,key=a");
    EXPECT_EQ(app.reports_in(10s), 2);
    app.request("duration=20,key=a");
    app.request("duration=0,key=a");
    EXPECT_EQ(app.reports_in(10s), 0);
}

TEST(AppCaster, ReportsNewAndRetractedRunWarningsToThoseWhoWantOnlyThem) {
    Caster app;
    app.report();
    app.request("duration=30,key=k,thresh=run_warning");
    EXPECT_EQ(app.reports_in(1s), 0);
    app.caster.add_run_warning("no fix");
    app.caster.add_run_warning("no fix");
    EXPECT_EQ(app.reports_in(1s), 1);
    EXPECT_EQ(app.last.run_warnings.at("no fix"), 2u);
    EXPECT_EQ(app.last.run_warning_total, 2u);
    app.caster.retract_run_warning("no fix");
    app.caster.retract_run_warning("never reported");
    EXPECT_EQ(app.reports_in(1s), 1);
    EXPECT_TRUE(app.last.run_warnings.empty());
}

TEST(AppCaster, ReportsAConfigurationWarningWithoutARequest) {
    Caster app;
    app.report();
    app.caster.add_config_warning("Unhandled config line: bogus_line=3");
    EXPECT_EQ(app.reports_in(2s), 1);
    EXPECT_THAT(app.last.config_warnings, ElementsAre("Unhandled config line: bogus_line=3"));
}

TEST(AppCaster, LimitsWarningsEventsAndRequests) {
    Caster app;
    for (int i = 0; i < 300; ++i) {
        const std::string text = "text " + std::to_string(i);
        app.caster.add_config_warning(text);
        app.caster.add_run_warning(text);
        app.caster.add_event(text, i * 1s);
        app.request("duration=30,key=" + text);
    }
    ASSERT_TRUE(app.report());
    EXPECT_THAT(app.last.config_warnings, SizeIs(101));
    EXPECT_THAT(app.last.run_warnings, SizeIs(11));
    EXPECT_EQ(app.last.run_warnings.at("Other Run Warnings"), 290u);
    EXPECT_EQ(app.last.run_warning_total, 300u);
    EXPECT_THAT(app.last.events, SizeIs(8));
    EXPECT_EQ(app.last.events.back(), "[299.00]: text 299");
}

}  // namespace
}  // namespace caribou::bus
