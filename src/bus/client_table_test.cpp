#include "bus/client_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/house_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(ClientTable, ReadsWhatOurBrokerTells) {
    HouseRig house;
    const auto client = house.client("reader");
    ASSERT_TRUE(client->register_variable("X"));
    std::vector<ClientRow> rows;
    ASSERT_TRUE(client->server_request("CLIENT_SUMMARY", [&](auto answer) {
        ASSERT_TRUE(answer) << answer.error().message;
        rows = client_rows(*answer);
    }));
    house.loop.advance(1s);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].name, "reader");
    EXPECT_EQ(rows[0].mode, "asynchronous");
    EXPECT_EQ(rows[0].subscribed, 1u);
    EXPECT_EQ(rows[0].refused, 0u);
}

TEST(ClientTable, ReadsWhatAnOriginalBrokerTells) {
    const std::vector<wire::Message> answer{
        {.key = "PROC_SUMMARY", .payload = "pNav:SUBSCRIBED=,A,B,PUBLISHED=,C"},
        {.key = "PROC_SUMMARY", .payload = "idle:SUBSCRIBED=,PUBLISHED="}};
    EXPECT_THAT(client_rows(answer), ElementsAre(ClientRow{.name = "pNav", .subscribed = 2, .published = 1},
                                                 ClientRow{.name = "idle", .subscribed = 0, .published = 0}));
}

TEST(ClientTable, LeavesOutWhatMakesNoSense) {
    const std::vector<wire::Message> answer{{.key = "PROC_SUMMARY", .payload = "pNav"},
                                            {.key = "PROC_SUMMARY", .payload = ",PUBLISHED=:SUBSCRIBED="},
                                            {.key = "CLIENT_SUMMARY", .payload = "{"},
                                            {.key = "CLIENT_SUMMARY", .payload = "[]"}};
    EXPECT_THAT(client_rows(answer), IsEmpty());
}

TEST(ClientTable, IsSortedByNameAndShowsWhatIsUnknown) {
    const std::vector<ClientRow> rows{
        {.name = "b", .peer = "127.0.0.1:5", .mode = "asynchronous", .messages_in = 7}, {.name = "a\x1b"}};
    EXPECT_EQ(
        client_table(rows),
        "CLIENT               FROM                   MODE         READS WRITES       SENT   RECEIVED   "
        "BACKLOG  DROPPED\n"
        "a\\x1b                -                      -                -      -          -          -   "
        "      -        -\n"
        "b                    127.0.0.1:5            asynchronous     -      -          7          -   "
        "      -        -\n");
    EXPECT_THAT(client_json(rows),
                StartsWith(R"([{"name":"a\u001b","peer":null,"mode":null,"subscribed":null)"));
}

}  // namespace
}  // namespace caribou::bus
