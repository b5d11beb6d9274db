#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "negotiation/report.hpp"

namespace caribou::negotiation {
namespace {

TEST(Report, ReadsWhatAPublisherWrites) {
    NegotiationReport report;
    report.topic = "/scan";
    report.is_started = report.success = true;
    report.weight = 3.5;
    report.at_least = 1;
    report.offers = {{.type = {"p/msg/A", "full"},
                      .weight = 1,
                      .is_chosen = true,
                      .total_weight = 3.5,
                      .listed_by = 2,
                      .only_for = "bob",
                      .readers = 2,
                      .sent = 7,
                      .spared = 1}};
    report.demands = {
        {.who = "bob", .wants = {{{"p/msg/A", "full"}, 2.5, true}}, .served_by = {{"p/msg/A", "full"}}},
        {.who = "eve", .wants = {}, .served_by = {}, .unserved = "nothing suits", .refused = 2}};
    report.runner_up = {
        .types = {{"p/msg/A", "full"}}, .more_types = 1, .less_weight = 0.5, .is_proven = true};
    const auto read = report_from_json(data::to_json(report));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, report);
    EXPECT_EQ(to_text(*read), to_text(report));
}

TEST(Report, RefusesWhatIsNoReport) {
    for (const auto* text : {"", "[1]", "{", "5"}) EXPECT_FALSE(report_from_json(text)) << text;
    const auto wrong = report_from_json(R"({"offers": [{"sent": -1}]})");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message, "report.offers[0].sent: the number does not fit");
}

}  // namespace
}  // namespace caribou::negotiation
