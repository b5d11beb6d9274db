#include "station/api_request.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

std::string fault_of(std::string_view text) {
    const auto request = read_request(text);
    return request ? "" : request.error().message;
}

TEST(ApiRequest, IsRead) {
    EXPECT_EQ(read_request(R"({"type":"command","id":7,"robot":"ada","command":"full_stop"})").value(),
              (ApiRequest{.id = 7, .robot = "ada", .command = "full_stop"}));
    EXPECT_EQ(read_request(R"({"type":"stop_all","id":1,"group":"dogs"})").value(),
              (ApiRequest{.type = ApiRequest::Type::stop_all, .id = 1, .group = "dogs"}));
    EXPECT_EQ(read_request(R"({"type":"watch","robots":["b","a"],"rate":10})").value(),
              (ApiRequest{.type = ApiRequest::Type::watch, .robots = {"a", "b"}, .period = 100ms}));
    EXPECT_EQ(read_request(R"({"type":"watch","views":["camera"],"camera":"half"})").value(),
              (ApiRequest{.type = ApiRequest::Type::watch,
                          .views = {views::View::camera},
                          .camera = views::CameraEncoding::half}));
    EXPECT_EQ(read_request(R"({"type":"record","id":1,"action":"start"})").value(),
              (ApiRequest{.type = ApiRequest::Type::record, .id = 1, .action = "start"}));
    EXPECT_EQ(read_request(R"({"type":"replay","id":1,"action":"seek","to":1767225603.5})").value(),
              (ApiRequest{.type = ApiRequest::Type::replay, .id = 1, .action = "seek", .to = 1767225603.5}));
}

TEST(ApiRequest, TakesAFullStopWithAWrongAgeOrAnUnknownField) {
    for (const char* const age : {R"("age":-0.001)", R"("age":null)", R"("given":null)", R"("given":"now")",
                                  R"("foo":1)", R"("arguments":{})"}) {
        const auto request = read_request(
            fmt::format(R"({{"type":"command","id":1,"robot":"ada","command":"full_stop\n",{}}})", age));
        ASSERT_TRUE(request) << age;
        EXPECT_EQ(request->robot, "ada");
    }
    EXPECT_NE(fault_of(R"({"type":"command","id":1,"robot":"ada","command":"105","age":-1})"), "");
    EXPECT_NE(fault_of(R"({"type":"command","id":1,"robot":"ada","command":"105","foo":1})"), "");
}

TEST(ApiRequest, SaysWhatIsWrongAndWhatInstead) {
    EXPECT_THAT(fault_of("{"), HasSubstr("at byte 1: "));
    EXPECT_EQ(
        fault_of("[]"),
        "a request is an object with a type: `command`, `stop_all`, `route`, `watch`, `record`, `replay`, "
        "`dismiss_stop`, `start_again` or `heartbeat`");
    EXPECT_EQ(fault_of(R"({"type":"comand"})"), "there is no request `comand`; did you mean `command`?");
    EXPECT_EQ(fault_of(R"({"type":"command","id":1,"robot":"ada"})"), "command needs the field `command`");
    EXPECT_THAT(fault_of(R"({"type":"stop_all","id":1,"gruop":"x"})"), HasSubstr("did you mean `group`?"));
    EXPECT_THAT(fault_of(R"({"type":"stop_all","id":1.5})"), HasSubstr("whole number"));
    EXPECT_THAT(fault_of(R"({"type":"watch","rate":1000})"), HasSubstr("from 0.1 to 20"));
    EXPECT_THAT(fault_of(R"({"type":"watch","camera":"huge"})"), HasSubstr("`full`, `half` or `gray`"));
    EXPECT_THAT(fault_of(R"({"type":"watch","camera":1})"), HasSubstr("`full`, `half` or `gray`"));
    EXPECT_THAT(fault_of(R"({"type":"stop_all","id":1,"group":3})"), HasSubstr("group should be a text"));
    EXPECT_EQ(fault_of(R"({"type":"replay","id":1,"action":"speed","speed":0})"),
              "speed should be a number from 0.1 to 1000");
}

}  // namespace
}  // namespace caribou::station
