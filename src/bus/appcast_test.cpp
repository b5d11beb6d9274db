#include "bus/appcast.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::SizeIs;

/// Returns the lines of a golden file that are not comments, without the columns before the value.
std::vector<std::string> golden_values(const std::string& name) {
    std::ifstream file(tests::in_repository("tests/golden/moos-appcast/" + name));
    std::vector<std::string> values;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const std::size_t columns = line.starts_with("APPCAST |") ? line.find("| S | ") + 6 : 0;
        values.push_back(line.substr(columns));
    }
    return values;
}

TEST(AppCast, ReadsAndWritesCapturedReportsByteForByte) {
    std::vector<std::string> values = golden_values("appcast_strings.txt");
    EXPECT_THAT(values, SizeIs(testing::Ge(8u)));
    for (const std::string& value : golden_values("appcast_run_warning.txt")) values.push_back(value);
    for (const std::string& value : values) {
        const auto cast = parse_appcast(value);
        ASSERT_TRUE(cast) << value;
        EXPECT_EQ(to_string(*cast), value);
    }
}

TEST(AppCast, ReadsTheFieldsOfACapturedReport) {
    const auto cast = parse_appcast(golden_values("appcast_run_warning.txt").at(0));
    ASSERT_TRUE(cast);
    EXPECT_EQ(cast->proc, "uProcessWatch");
    EXPECT_EQ(cast->node, "alpha");
    EXPECT_EQ(cast->iteration, 14658u);
    EXPECT_EQ(cast->messages.at(0), "Summary: AWOL: uLoadWatch,ivprec,ivprec2");
    EXPECT_EQ(cast->run_warning_total, 3u);
    EXPECT_THAT(cast->run_warnings,
                ElementsAre(Pair("Process [ivprec2] is missing.", 1), Pair("Process [ivprec] is missing.", 1),
                            Pair("Process [uLoadWatch] is missing.", 1)));
    EXPECT_THAT(cast->events, SizeIs(8));
}

TEST(AppCast, AcceptsFieldsInAnyOrderAndRefusesAReportWithoutAnApp) {
    const auto cast = parse_appcast("node= alpha !@#new=1!@#proc= pA !@#run_warnings=2:a:b!@x:c!@3:d");
    ASSERT_TRUE(cast);
    EXPECT_EQ(cast->proc, "pA");
    EXPECT_EQ(cast->node, "alpha");
    EXPECT_THAT(cast->run_warnings, ElementsAre(Pair("a:b", 2), Pair("d", 3)));
    EXPECT_EQ(parse_appcast("iter=3").error().code, Code::malformed);
    EXPECT_FALSE(parse_appcast(""));
}

TEST(AppCastRequest, ReadsAndWritesCapturedRequestsByteForByte) {
    const auto values = golden_values("requests.txt");
    EXPECT_THAT(values, SizeIs(3));
    for (const std::string& value : values) {
        const auto request = parse_appcast_request(value);
        ASSERT_TRUE(request) << value;
        EXPECT_EQ(to_string(*request), value);
    }
}

TEST(AppCastRequest, NeedsAKeyAndADurationAndLimitsIt) {
    const auto request =
        parse_appcast_request(" NODE = alpha , App=pA,key=k,DURATION=100,thresh=run_warning");
    ASSERT_TRUE(request);
    EXPECT_EQ(*request, (AppCastRequest{.node = "alpha",
                                        .app = "pA",
                                        .duration = 30,
                                        .key = "k",
                                        .threshold = AppCastRequest::Threshold::run_warning}));
    EXPECT_EQ(parse_appcast_request("key=k,duration=-3")->duration, 0);
    EXPECT_FALSE(parse_appcast_request("duration=3"));
    EXPECT_FALSE(parse_appcast_request("key=k"));
    EXPECT_FALSE(parse_appcast_request("key=k,duration=soon"));
}

rc::Gen<std::string> awkward_text() {
    return rc::gen::container<std::string>(rc::gen::elementOf(std::string("!@#:=, \n\rab")));
}

/// Whatever its texts contain, a report keeps its structure: the numbers of lines, warnings and events.
RC_GTEST_PROP(AppCast, KeepsItsStructureWhateverItsTextsContain, ()) {
    const auto texts = rc::gen::container<std::vector<std::string>>(
        rc::gen::map(awkward_text(), [](const std::string& text) { return "x" + text; }));
    AppCast cast{.proc = "pA", .node = "alpha", .iteration = 3};
    cast.messages = *rc::gen::container<std::vector<std::string>>(awkward_text());
    cast.config_warnings = *texts;
    cast.events = *texts;
    for (const std::string& text : *texts) cast.run_warnings[text] += 1;
    const auto again = parse_appcast(to_string(cast));
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->messages.size() == cast.messages.size());
    RC_ASSERT(again->config_warnings.size() == cast.config_warnings.size());
    RC_ASSERT(again->events.size() == cast.events.size());
    RC_ASSERT(again->proc == "pA" && again->node == "alpha" && again->iteration == 3);
    RC_ASSERT(to_string(*parse_appcast(to_string(*again))) == to_string(*again));
}

}  // namespace
}  // namespace caribou::bus
