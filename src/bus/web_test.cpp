#include "bus/web.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include "base/web_form.hpp"
#include "bus/broker_rig.hpp"

namespace caribou::bus {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::json;
class WebTest : public testing::Test {
protected:
    WebTest() {
        const ConnectionId id = rig_.join("alice");
        rig_.send(id, {BrokerRig::number("NAV_X", 3.25, "alice"), BrokerRig::text("NAME", "<b>&\"", "alice"),
                       BrokerRig::text("odd name/?", "x", "alice"), BrokerRig::registration("UNWRITTEN")});
    }
    WebAnswer ask(WebRequest request) {
        if (request.host.empty()) request.host = "localhost:9080";
        return answer(request,
                      {rig_.broker, journal_, rig_.at.stamp + 2, [this](const wire::MessageView& value) {
                           return rig_.broker.poke("DBWebServer", value, rig_.at);
                       }});
    }
    WebAnswer get(std::string target) { return ask({.target = std::move(target)}); }
    std::string value(std::string_view name) {
        const Variable* variable = rig_.broker.exchange().find(name);
        if (!variable || !variable->is_written()) return "nothing";
        const auto v = variable->value();
        return v.is_number() ? fmt::format("{}", v.value) : std::string(v.payload);
    }

    BrokerRig rig_;
    const JournalStats* journal_ = nullptr;
};

TEST_F(WebTest, ShowsAllVariablesAndEscapesThem) {
    const WebAnswer page = get("/");
    EXPECT_EQ(page.status, 200u);
    EXPECT_THAT(page.body, AllOf(HasSubstr("NAV_X"), HasSubstr("3.25"), HasSubstr("alice"),
                                 HasSubstr("&lt;b&gt;&amp;&quot;"), Not(HasSubstr("<b>&\""))));
    EXPECT_THAT(page.body, HasSubstr("href=\"/odd%20name%2F%3F\""));
}

TEST_F(WebTest, ShowsOneVariable) {
    EXPECT_THAT(get("/NAV_X").body, AllOf(HasSubstr("3.25"), HasSubstr("number"), Not(HasSubstr("NAME"))));
    EXPECT_THAT(get("/odd%20name%2F%3F").body, HasSubstr("odd name/?"));
    EXPECT_THAT(get("/UNWRITTEN").body, HasSubstr("unwritten"));
    const WebAnswer missing = get("/NAV_Z");
    EXPECT_EQ(missing.status, 404u);
    EXPECT_THAT(missing.body, HasSubstr("There is no variable NAV_Z"));
}

TEST_F(WebTest, ListsVariablesAsJson) {
    const auto json = Json::parse(get("/variables.json?filter=NA*").body);
    ASSERT_EQ(json["variables"].size(), 2u);
    EXPECT_EQ(json["variables"][1]["name"], "NAV_X");
    EXPECT_EQ(json["variables"][1]["value"], 3.25);
    EXPECT_EQ(json["variables"][1]["source"], "alice");
    EXPECT_EQ(json["journal"], "off");
    EXPECT_EQ(json["more"], false);
    const auto paged = Json::parse(get("/variables.json?limit=1&after=NAME&filter=N*").body);
    EXPECT_EQ(paged["variables"][0]["name"], "NAV_X");
    EXPECT_EQ(get("/variables.json?limit=lots").status, 400u);
}

TEST_F(WebTest, ListsClientsAsJson) {
    const auto json = Json::parse(get("/clients.json").body);
    EXPECT_EQ(json["clients"][0]["name"], "alice");
}

TEST_F(WebTest, TellsMetrics) {
    const JournalStats journal{.paused = true, .file_size = 77};
    journal_ = &journal;
    const WebAnswer metrics = get("/metrics");
    EXPECT_THAT(metrics.type, HasSubstr("version=0.0.4"));
    EXPECT_THAT(metrics.body, AllOf(HasSubstr("# TYPE caribou_messages_total counter\n"),
                                    HasSubstr("\ncaribou_messages_total{direction=\"in\"} 5\n"),
                                    HasSubstr("caribou_clients 1\n"), HasSubstr("caribou_journal_paused 1\n"),
                                    HasSubstr("caribou_journal_file_bytes 77\n")));
}

TEST_F(WebTest, PokesByPost) {
    const WebAnswer done = ask({.method = "POST", .target = "/NAV_X", .body = "NewValue=4.5"});
    EXPECT_EQ(done.status, 303u);
    EXPECT_EQ(done.location, "/NAV_X");
    EXPECT_EQ(value("NAV_X"), "4.5");
    EXPECT_EQ(rig_.broker.exchange().find("NAV_X")->value().source, "DBWebServer");
    EXPECT_EQ(ask({.method = "POST", .body = "VariableToPoke=NEW+ONE&NewValue=a%26b&DoPoke=1"}).status, 303u);
    EXPECT_EQ(value("NEW ONE"), "a&b");
    // The type of the variable decides.
    EXPECT_EQ(ask({.method = "POST", .target = "/NAME", .body = "NewValue=12"}).status, 303u);
    EXPECT_EQ(value("NAME"), "12");
    const WebAnswer wrong = ask({.method = "POST", .target = "/NAV_X", .body = "NewValue=abc"});
    EXPECT_EQ(wrong.status, 400u);
    EXPECT_THAT(wrong.body, HasSubstr("NAV_X is a number; `abc` is not"));
}

TEST_F(WebTest, TakesTheOriginalsGetFromPrograms) {
    EXPECT_EQ(get("/?VariableToPoke=NAV_X&NewValue=7&DoPoke=Poke").status, 303u);
    EXPECT_EQ(value("NAV_X"), "7");
    EXPECT_EQ(get("/NAV_X?NewValue=8").status, 303u);
    EXPECT_EQ(value("NAV_X"), "8");
}

TEST_F(WebTest, LetsNoOtherSitePoke) {
    const std::string poke = "/NAV_X?NewValue=666";
    const std::string firefox = "Mozilla/5.0 (X11; Linux x86_64)";
    const std::string ours = "http://localhost:9080";
    const std::vector<WebRequest> bad{
        {.target = poke, .fetch_site = "cross-site", .user_agent = firefox},
        {.target = poke, .fetch_site = "same-site", .user_agent = firefox},
        {.target = poke, .user_agent = firefox},
        {.target = poke, .origin = "http://elsewhere.example", .user_agent = firefox},
        {.method = "POST", .target = "/NAV_X", .body = "NewValue=666", .user_agent = firefox},
        {.method = "POST",
         .target = "/NAV_X",
         .body = "NewValue=666",
         .origin = "null",
         .user_agent = firefox},
        {.method = "POST", .target = "/NAV_X", .body = "NewValue=666", .origin = "http://localhost:8000"},
        {.method = "POST",
         .target = "/NAV_X",
         .body = "NewValue=666",
         .origin = ours,
         .fetch_site = "cross-site"}};
    for (const WebRequest& request : bad) EXPECT_EQ(ask(request).status, 403u);
    EXPECT_EQ(value("NAV_X"), "3.25");
    EXPECT_EQ(ask({.method = "POST",
                   .target = "/NAV_X",
                   .body = "NewValue=1",
                   .origin = ours,
                   .user_agent = firefox})
                  .status,
              303u);
    EXPECT_EQ(ask({.target = poke, .fetch_site = "same-origin", .user_agent = firefox}).status, 303u);
}

TEST_F(WebTest, AnswersUnderItsOwnNamesOnly) {
    for (const auto* host :
         {"evil.example", "evil.example:9080", "localhost.evil.example", "127.0.0.1.evil", "[::1"})
        EXPECT_EQ(ask({.host = host}).status, 403u) << host;
    for (const auto* host : {"localhost", "127.0.0.1:80", "[::1]:9080"})
        EXPECT_EQ(ask({.host = host}).status, 200u);
    EXPECT_EQ(ask({.method = "DELETE"}).status, 405u);
}

TEST(WebForm, ReadsWhatBrowsersWrite) {
    const WebTarget target = parse_target("/a%20b?x=1+2&y=%41%zz&x=9&&=&z#f");
    EXPECT_EQ(target.path, "a b");
    EXPECT_EQ(target.query, (WebForm{{"x", "1 2"}, {"y", "A%zz"}, {"", ""}, {"z", ""}}));
    EXPECT_THAT(parse_target("").path, IsEmpty());
}

RC_GTEST_PROP(WebForm, DecodesWhatItEncodes, (const std::string& text)) {
    RC_ASSERT(percent_decoded(percent_encoded(text)) == text);
    RC_ASSERT(parse_target("/" + percent_encoded(text)).path == text);
}

}  // namespace
}  // namespace caribou::bus
