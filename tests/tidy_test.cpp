// The rules of tests/rules/tidy.cpp against the repository, and against code that breaks them.
#include "rules/tidy.hpp"
#include <test_paths.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::rules {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Tidy, HoldsTheWholeRepositoryToItsRules) {
    const std::vector<SourceFile> files = read_repository(tests::in_repository(""));
    ASSERT_GT(files.size(), 20u) << "the repository was not read";
    const std::vector<Finding> findings = check_tidy(files);
    EXPECT_TRUE(findings.empty()) << "\n" << report(findings);
}

std::vector<Finding> findings_in(std::string path, std::string text) {
    return check_tidy(std::vector<SourceFile>{{std::move(path), std::move(text)}});
}

auto is_finding(std::size_t line, std::string what) {
    return AllOf(Field(&Finding::line, line), Field(&Finding::what, HasSubstr(std::move(what))));
}

struct Bad {
    std::string code;
    std::string message;
};

class TidyRule : public testing::TestWithParam<Bad> {};

TEST_P(TidyRule, FindsItAndNamesTheReplacement) {
    EXPECT_THAT(findings_in("src/bus/x.cpp", "\n" + GetParam().code + "\n"),
                ElementsAre(is_finding(2, GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Bans, TidyRule,
    testing::Values(
        Bad{"sleep_for(1s);", "sleep_for: arm a Timer (loop/loop.hpp)"}, Bad{"::sleep (1);", "arm a Timer"},
        Bad{"auto t = std::chrono::steady_clock :: now();", "ask the Clock"},
        Bad{"auto t = time( nullptr );", "ask the Clock"}, Bad{"gettimeofday(&t, nullptr);", "ask the Clock"},
        Bad{"std::jthread t(f);", "std::jthread: post to a Loop"},
        Bad{"auto f = std::async(g);", "post to a Loop"},
        Bad{"pthread_create(&t, a, f, p);", "post to a Loop"},
        Bad{"std::mutex m;", "through an Inbox (loop/inbox.hpp)"},
        Bad{"std::scoped_lock l(m);", "through an Inbox"},
        Bad{"std::condition_variable c;", "through an Inbox"}, Bad{"std::atomic<int> n;", "through an Inbox"},
        Bad{"auto* p = new Thing;", "new: write std::make_unique"},
        Bad{"delete p;", "delete: give it an owner"}, Bad{"delete [] p;", "give it an owner"},
        Bad{"using Json = nlohmann::json;", "nlohmann: read with read_json (base/json_node.hpp)"},
        Bad{"} catch (...) {", "catch(...): catch what the library throws"},
        Bad{"// TODO later", "TODO: do it"}, Bad{"/* FIXME */", "FIXME: do it"},
        Bad{"open(\"/home/ann/x\");", "/home/: say it from the top"},
        Bad{"// see https://registry.npmjs.org/x", "leave the host to the machine"}));

TEST(TidyRules, AcceptWhatOnlyLooksLikeIt) {
    EXPECT_THAT(findings_in("src/bus/x.cpp",
                            "// a new thread would sleep_for a while, then delete it\n"
                            "auto s = \"std::mutex\"; auto r = R\"x(std::thread \" )x\";\n"
                            "char c = '\"'; X(const X&) = delete; int renew = 1'000;\n"
                            "#include <new>\n"
                            "void operator delete(void*) noexcept;\n"
                            "auto t = clock.now(); runtime(0); body.sleep(); to_time(nullptr);\n"
                            "auto p = \"examples/home/x\";\n"),
                IsEmpty());
}

TEST(TidyRules, AcceptANewInTheBracketsOfItsOwner) {
    EXPECT_THAT(findings_in("src/bus/x.cpp",
                            "std::unique_ptr<X> a(new X(1));\n"
                            "boost::intrusive_ptr b(\n    new X(2));\n"
                            "c_.reset(new X(3));\n"),
                IsEmpty());
    EXPECT_THAT(findings_in("src/bus/x.cpp", "std::unique_ptr<X> a;\nb = new X;\n"),
                ElementsAre(is_finding(2, "new")));
}

TEST(TidyRules, LeavePlatformItsThreadsAndClocksButNoTestItsSleep) {
    const std::string text = "std::mutex m;\nauto t = steady_clock::now();\nsleep_for(t);\n";
    EXPECT_THAT(findings_in("src/platform/x.cpp", text), IsEmpty());
    EXPECT_THAT(findings_in("src/platform/x_test.cpp", text), ElementsAre(is_finding(3, "sleep_for")));
}

TEST(TidyRules, GiveWayToAReasonInTheLineOrTheOneBefore) {
    EXPECT_THAT(findings_in("apps/x.cpp",
                            "// tidy: allow lock: a signal handler may touch nothing else\n"
                            "std::atomic<bool> stop;\n"),
                IsEmpty());
    EXPECT_THAT(findings_in("apps/x.cpp", "std::atomic<bool> stop;  // tidy: allow lock: \n"),
                ElementsAre(is_finding(1, "std::atomic")));
    EXPECT_THAT(findings_in("apps/x.cpp", "std::atomic<bool> stop;  // tidy: allow thread: because\n"),
                ElementsAre(is_finding(1, "std::atomic")));
}

TEST(TidyRules, FindFilesThatAreTooLongOrBadlyNamed) {
    std::string lines;
    for (int i = 0; i < 1001; ++i) lines += "x\n";
    EXPECT_THAT(findings_in("src/bus/x.cpp", lines),
                ElementsAre(is_finding(1001, "1001 lines, at most 1000")));
    EXPECT_THAT(findings_in("src/bus/string_utils.hpp", ""),
                ElementsAre(is_finding(1, "`utils` says nothing")));
    EXPECT_THAT(findings_in("src/bus/uncommon.hpp", ""), IsEmpty());
}

TEST(SourceText, BlanksCommentsAndLiteralsInPlace) {
    EXPECT_EQ(code_only("a /* b\nc */ d \"e\\\"f\" g // h\ni"), "a     \n     d \"    \" g     \ni");
    EXPECT_EQ(code_only("f(R\"-(x\"y)-\") + 'z' + 1'000;"), "f(R\"       \") + ' ' + 1'000;");
    EXPECT_EQ(without_comments("s = \"// no\"; // yes"), "s = \"// no\";       ");
    EXPECT_EQ(code_only("\"never ends\nnext"), "\"          \nnext");
}

}  // namespace
}  // namespace caribou::rules
