#include "base/static_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;

const StaticFiles& page() {
    static const StaticFiles files({{"index.html", "<html>"},
                                    {"index.html.gz", "packed html"},
                                    {"assets/a-1.js", "let a"},
                                    {"assets/a-1.js.gz", "packed js"},
                                    {"icon.svg", "<svg>"}});
    return files;
}

std::optional<WebAnswer> ask(WebRequest request) { return page().answer(request); }

std::string field_of(const WebAnswer& answer, std::string_view name) {
    for (const auto& [each, value] : answer.fields)
        if (each == name) return value;
    return {};
}

TEST(StaticFiles, ServesEachFileWithItsType) {
    const auto index = ask({.target = "/"});
    ASSERT_TRUE(index);
    EXPECT_EQ(index->status, 200u);
    EXPECT_EQ(index->body, "<html>");
    EXPECT_EQ(index->type, "text/html; charset=utf-8");
    EXPECT_EQ(ask({.target = "/assets/a-1.js"})->type, "text/javascript; charset=utf-8");
    EXPECT_EQ(ask({.target = "/icon.svg?x=1"})->type, "image/svg+xml");
}

TEST(StaticFiles, KnowsNothingBesidesThem) {
    for (const std::string target :
         {"/api/v1/state", "/../index.html", "/%2e%2e/etc/passwd", "/assets", "/index.html.gz"})
        EXPECT_FALSE(ask({.target = target})) << target;
    EXPECT_FALSE(ask({.method = "POST", .target = "/"}));
    EXPECT_TRUE(ask({.method = "HEAD", .target = "/"}));
    EXPECT_FALSE(StaticFiles().answer({.target = "/"}));
}

TEST(StaticFiles, ServesCompressedToWhoTakesIt) {
    const auto packed = ask({.target = "/", .accept_encoding = "br, gzip, deflate"});
    EXPECT_EQ(packed->body, "packed html");
    EXPECT_THAT(packed->fields, Contains(Pair("Content-Encoding", "gzip")));
    for (const std::string encoding : {"", "br", "gzip;q=0", "br, gzip;q=0, deflate", "gzip;q=0.0",
                                       "gzip; q=0", "gzip ;q=0.000, br;q=1"}) {
        const auto plain = ask({.target = "/", .accept_encoding = encoding});
        EXPECT_EQ(plain->body, "<html>") << encoding;
        EXPECT_THAT(plain->fields, Not(Contains(Key("Content-Encoding"))));
    }
    for (const std::string encoding : {"gzip;q=0.5", "gzip; q=0.01, br", "gzip;q=1"})
        EXPECT_EQ(ask({.target = "/", .accept_encoding = encoding})->body, "packed html") << encoding;
    EXPECT_EQ(ask({.target = "/icon.svg", .accept_encoding = "gzip"})->body, "<svg>") << "there is no other";
}

TEST(StaticFiles, KeepsForGoodOnlyWhatHasItsContentInItsName) {
    EXPECT_THAT(field_of(*ask({.target = "/assets/a-1.js"}), "Cache-Control"), HasSubstr("immutable"));
    EXPECT_EQ(field_of(*ask({.target = "/"}), "Cache-Control"), "no-cache");
}

TEST(StaticFiles, SendsNothingTwiceThatHasNotChanged) {
    const std::string tag = field_of(*ask({.target = "/"}), "ETag");
    const auto again = ask({.target = "/", .if_none_match = tag});
    EXPECT_EQ(again->status, 304u);
    EXPECT_THAT(again->body, IsEmpty());
    EXPECT_EQ(ask({.target = "/icon.svg", .if_none_match = tag})->status, 200u);
}

TEST(StaticFiles, LetsThePageUseNothingButItself) {
    const std::string policy = field_of(*ask({.target = "/"}), "Content-Security-Policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
}

}  // namespace
}  // namespace caribou
