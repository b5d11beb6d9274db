#include "bus/web_reports.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WebReportsTest : public testing::Test {
protected:
    std::optional<WebAnswer> get(std::string target, std::string host = "localhost:9080") {
        return reports_.answer({.method = "GET", .target = std::move(target), .host = std::move(host)}, now_);
    }
    nlohmann::json json(std::string target) { return nlohmann::json::parse(get(std::move(target))->body); }
    void report(const AppCast& cast) {
        const std::string text = to_string(cast);
        Bytes bytes;
        wire::append_message(bytes, {.type = wire::MessageType::notify,
                                     .data_type = wire::DataType::string,
                                     .source = cast.proc,
                                     .key = "APPCAST",
                                     .payload = text});
        reports_.deliver(std::make_shared<Bytes>(std::move(bytes)));
    }

    std::vector<std::string> published_;
    Instant now_{1h};
    WebReports reports_{"alpha", 10, [this](std::string_view variable, std::string_view value) {
                            published_.push_back(std::string(variable) + "=" + std::string(value));
                        }};
};

TEST_F(WebReportsTest, RequestsReportsWhileTheyAreRead) {
    EXPECT_FALSE(get("/"));
    EXPECT_FALSE(get("/APPCAST"));
    EXPECT_THAT(published_, IsEmpty());
    EXPECT_EQ(get("/appcasts.json")->body, "[]");
    get("/appcasts.json");
    EXPECT_THAT(published_,
                ElementsAre("APPCAST_REQ=node=all,app=all,duration=30.0,key=DBWebServer,thresh=any",
                            HasSubstr("APPCAST_REQ_ALL=")));
    now_ += 1s;
    get("/appcasts.json");
    EXPECT_EQ(published_.size(), 4U);
}

TEST_F(WebReportsTest, ShowsAppsByCommunityAndTheirReports) {
    report({.proc = "pNav", .node = "alpha", .iteration = 7, .messages = {"<fine>"}});
    report({.proc = "pHelm",
            .node = "alpha",
            .config_warnings = {"c"},
            .run_warning_total = 3,
            .run_warnings = {{"w", 3}}});
    const auto rows = json("/appcasts.json");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["app"], "pHelm");
    EXPECT_EQ(rows[0]["config_warnings"], 1);
    EXPECT_EQ(rows[0]["run_warnings"], 3);
    EXPECT_EQ(rows[1]["iterations"], 7);
    const auto whole = json("/appcasts.json?node=alpha&app=pHelm");
    EXPECT_EQ(whole[0]["run_warnings"]["w"], 3);
    EXPECT_EQ(json("/appcasts.json?node=beta&app=pHelm").size(), 0U);
    EXPECT_THAT(get("/appcasts")->body, HasSubstr("reports of apps"));
}

TEST_F(WebReportsTest, AnswersNoOtherSite) {
    EXPECT_EQ(get("/appcasts.json", "evil.example:9080")->status, 403U);
    reports_.answer({.method = "GET", .target = "/appcasts", .host = "localhost", .fetch_site = "cross-site"},
                    now_);
    EXPECT_THAT(published_, IsEmpty());
}

}  // namespace
}  // namespace caribou::bus
