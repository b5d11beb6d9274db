// The door table src/doors.txt against the code, and the rule that does it against bad code.
#include "rules/house.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace caribou::rules {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

auto is_finding(std::string path, std::size_t line, std::string what) {
    return AllOf(Field(&Finding::path, std::move(path)), Field(&Finding::line, line),
                 Field(&Finding::what, HasSubstr(std::move(what))));
}

const std::vector<SourceFile>& repository() {
    static const std::vector<SourceFile> files = read_repository(CARIBOU_SOURCE_DIR);
    return files;
}

std::string_view text_of_file(std::string_view path) {
    const auto file = std::ranges::find(repository(), path, &SourceFile::path);
    return file == repository().end() ? std::string_view() : std::string_view(file->text);
}

TEST(House, HoldsTheCodeToItsDoorTable) {
    const Doors doors = Doors::parse(text_of_file("src/doors.txt"));
    ASSERT_TRUE(doors.rooms.contains("base")) << "src/doors.txt was not read";
    const std::vector<Finding> findings = check_doors(doors, repository());
    EXPECT_TRUE(findings.empty()) << "\n" << report(findings);
}

TEST(House, InstallsEveryHeaderThatAPublicOneNeeds) {
    const std::string_view list = text_of_file("src/public_headers.txt");
    ASSERT_THAT(std::string(list), HasSubstr("base/result.hpp"));
    const std::vector<Finding> findings = check_public_headers(list, repository());
    EXPECT_TRUE(findings.empty()) << "\n" << report(findings);
}

// From here on: that the rules can fail.

const Doors small_house =
    Doors::parse("base:\nwire: base\nloop: base\nplatform: base loop  # the side wing\n");

std::vector<Finding> findings_in(std::vector<SourceFile> files) {
    // Uses every door, so that only what the test adds is found.
    files.push_back({"src/wire/ok.cpp", "#include \"base/b.hpp\"\n"});
    files.push_back({"src/loop/ok.cpp", "#include \"base/b.hpp\"\n"});
    files.push_back({"src/platform/ok.cpp", "#include \"base/b.hpp\"\n#include \"loop/l.hpp\"\n"});
    return check_doors(small_house, files);
}

TEST(DoorRule, AcceptsDoorsOwnRoomAndLibraries) {
    EXPECT_THAT(findings_in({{"src/wire/x.cpp",
                              "#include \"wire/x.hpp\"\n\n#include <vector>\n#include "
                              "<boost/asio.hpp>\n#include \"base/b.hpp\"\n"}}),
                IsEmpty());
}

TEST(DoorRule, NamesTheLineOfAForbiddenInclude) {
    EXPECT_THAT(
        findings_in({{"src/wire/x.hpp", "#pragma once\n#  include \"loop/l.hpp\"\n"}}),
        ElementsAre(is_finding("src/wire/x.hpp", 2, "no door from wire to loop: wire may include base")));
}

TEST(DoorRule, SeesForbiddenIncludesInAngleBracketsAndTests) {
    EXPECT_THAT(findings_in({{"src/wire/x_test.cpp", "#include <loop/l.hpp>\n"}}),
                ElementsAre(is_finding("src/wire/x_test.cpp", 1, "no door from wire to loop")));
}

TEST(DoorRule, IgnoresIncludesInComments) {
    EXPECT_THAT(
        findings_in({{"src/wire/x.hpp", "// #include \"loop/l.hpp\"\n/*\n#include \"loop/l.hpp\"\n*/\n"}}),
        IsEmpty());
}

TEST(DoorRule, KeepsPlatformForAppsTestsExamplesAndBench) {
    const std::string text = "#include \"platform/p.hpp\"\n";
    EXPECT_THAT(findings_in({{"apps/main.cpp", text},
                             {"tests/x_test.cpp", text},
                             {"examples/t01.cpp", text},
                             {"bench/bench_x.cpp", text},
                             {"src/platform/x_test.cpp", text}}),
                IsEmpty());
    EXPECT_THAT(
        findings_in({{"src/loop/x_test.cpp", text}}),
        ElementsAre(is_finding("src/loop/x_test.cpp", 1, "only apps, python, tests, examples and bench")));
}

TEST(DoorRule, FindsUnknownRooms) {
    EXPECT_THAT(findings_in({{"src/attic/x.hpp", ""}}),
                ElementsAre(is_finding("src/attic/x.hpp", 1, "room attic is not in src/doors.txt")));
    EXPECT_THAT(findings_in({{"src/wire/x.hpp", "#include \"attic/x.hpp\"\n"}}),
                ElementsAre(is_finding("src/wire/x.hpp", 1, "there is no room attic")));
    EXPECT_THAT(findings_in({{"apps/main.cpp", "#include \"attic/x.hpp\"\n"}}),
                ElementsAre(is_finding("apps/main.cpp", 1, "neither in a room nor in this folder")));
}

TEST(DoorRule, WantsTheRoomInEveryIncludeOfARoom) {
    EXPECT_THAT(findings_in({{"src/wire/x.cpp", "#include \"x.hpp\"\n"}}),
                ElementsAre(is_finding("src/wire/x.cpp", 1, "write \"wire/x.hpp\"")));
}

TEST(DoorRule, LetsOutsideFoldersIncludeTheirOwnFiles) {
    EXPECT_THAT(findings_in({{"bench/bench_x.cpp", "#include \"relay.hpp\"\n"}, {"bench/relay.hpp", ""}}),
                IsEmpty());
    EXPECT_THAT(findings_in({{"tests/x_test.cpp", "#include \"deep/y.hpp\"\n"}, {"tests/deep/y.hpp", ""}}),
                IsEmpty());
    EXPECT_THAT(findings_in({{"bench/bench_x.cpp", "#include \"deep/y.hpp\"\n"}, {"tests/deep/y.hpp", ""}}),
                IsEmpty());
}

TEST(DoorRule, FindsDoorsThatNobodyUses) {
    const Doors doors = Doors::parse("base:\n# floor 1\nwire: base\n");
    EXPECT_THAT(check_doors(doors, std::vector<SourceFile>{{"src/wire/x.cpp", "#include <vector>\n"}}),
                ElementsAre(is_finding("src/doors.txt", 3, "wire may include base, but does not")));
}

TEST(DoorTable, LeadsDownOnly) {
    EXPECT_THAT(Doors::parse("base: wire\nwire:\n").findings,
                ElementsAre(is_finding("src/doors.txt", 1, "wire is not a room of an earlier line")));
}

TEST(DoorTable, HasNoDoorToPlatform) {
    EXPECT_THAT(Doors::parse("platform:\nbus: platform\n").findings,
                ElementsAre(is_finding("src/doors.txt", 2, "no room has a door to platform")));
}

TEST(DoorTable, RefusesLinesItDoesNotUnderstand) {
    EXPECT_THAT(Doors::parse("base\nwire:\nwire:\n").findings,
                ElementsAre(is_finding("src/doors.txt", 1, "is not a line of the table"),
                            is_finding("src/doors.txt", 3, "wire has two lines")));
}

TEST(PublicHeaderRule, FindsWhatIsNotThereAndWhatIsNotInstalled) {
    const std::vector<SourceFile> files{
        {"src/bus/client.hpp", "#include <span>\n#include \"bus/inner.hpp\"\n"}, {"src/bus/inner.hpp", ""}};
    EXPECT_THAT(
        check_public_headers("# bus\nbus/client.hpp\nbus/gone.hpp\n", files),
        ElementsAre(is_finding("src/bus/client.hpp", 2, "includes bus/inner.hpp, which is not installed"),
                    is_finding("src/public_headers.txt", 3, "there is no src/bus/gone.hpp")));
    EXPECT_THAT(check_public_headers("bus/client.hpp\nbus/inner.hpp\n", files), IsEmpty());
}

TEST(PublicHeaderRule, KnowsThatHeadersMadeOfMessagesAreInstalled) {
    EXPECT_THAT(
        check_public_headers("bus/x.hpp\n", std::vector<SourceFile>{{"src/bus/x.hpp",
                                                                     "#include \"msg/a/m.hpp\"\n"
                                                                     "#include \"msg/inner.hpp\"\n"}}),
        ElementsAre(is_finding("src/bus/x.hpp", 2, "includes msg/inner.hpp, which is not installed")));
}

}  // namespace
}  // namespace caribou::rules
