// src/layers.txt against the code, and the rule itself against bad code.
#include "rules/layers.hpp"
#include <test_paths.hpp>

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
    static const std::vector<SourceFile> files = read_repository(tests::in_repository(""));
    return files;
}

std::string_view text_of_file(std::string_view path) {
    const auto file = std::ranges::find(repository(), path, &SourceFile::path);
    return file == repository().end() ? std::string_view() : std::string_view(file->text);
}

TEST(Layers, HoldForTheCode) {
    const Layers table = Layers::parse(text_of_file("src/layers.txt"));
    ASSERT_TRUE(table.modules.contains("base")) << "src/layers.txt was not read";
    const std::vector<Finding> findings = check_layers(table, repository());
    EXPECT_TRUE(findings.empty()) << "\n" << report(findings);
}

TEST(PublicHeaders, IncludeOnlyPublicHeaders) {
    const std::string_view list = text_of_file("src/public_headers.txt");
    ASSERT_THAT(std::string(list), HasSubstr("base/result.hpp"));
    const std::vector<Finding> findings = check_public_headers(list, repository());
    EXPECT_TRUE(findings.empty()) << "\n" << report(findings);
}

// From here on: that the rules can fail.

const Layers small_table = Layers::parse("base:\nwire: base\nloop: base\nplatform: base loop  # a comment\n");

std::vector<Finding> findings_in(std::vector<SourceFile> files) {
    // Uses every entry, so that only what the test adds is found.
    files.push_back({"src/wire/ok.cpp", "#include \"base/b.hpp\"\n"});
    files.push_back({"src/loop/ok.cpp", "#include \"base/b.hpp\"\n"});
    files.push_back({"src/platform/ok.cpp", "#include \"base/b.hpp\"\n#include \"loop/l.hpp\"\n"});
    return check_layers(small_table, files);
}

TEST(LayerRule, AcceptsLowerModulesTheOwnModuleAndLibraries) {
    EXPECT_THAT(findings_in({{"src/wire/x.cpp",
                              "#include \"wire/x.hpp\"\n\n#include <vector>\n#include "
                              "<boost/asio.hpp>\n#include \"base/b.hpp\"\n"}}),
                IsEmpty());
}

TEST(LayerRule, NamesTheLineOfAForbiddenInclude) {
    EXPECT_THAT(findings_in({{"src/wire/x.hpp", "#pragma once\n#  include \"loop/l.hpp\"\n"}}),
                ElementsAre(is_finding("src/wire/x.hpp", 2, "wire may not include loop, only base")));
}

TEST(LayerRule, SeesForbiddenIncludesInAngleBracketsAndTests) {
    EXPECT_THAT(findings_in({{"src/wire/x_test.cpp", "#include <loop/l.hpp>\n"}}),
                ElementsAre(is_finding("src/wire/x_test.cpp", 1, "wire may not include loop")));
}

TEST(LayerRule, IgnoresIncludesInComments) {
    EXPECT_THAT(
        findings_in({{"src/wire/x.hpp", "// #include \"loop/l.hpp\"\n/*\n#include \"loop/l.hpp\"\n*/\n"}}),
        IsEmpty());
}

TEST(LayerRule, KeepsPlatformForAppsTestsExamplesAndBench) {
    const std::string text = "#include \"platform/p.hpp\"\n";
    EXPECT_THAT(findings_in({{"apps/main.cpp", text},
                             {"tests/x_test.cpp", text},
                             {"examples/t01.cpp", text},
                             {"bench/bench_x.cpp", text},
                             {"src/platform/x_test.cpp", text}}),
                IsEmpty());
    EXPECT_THAT(findings_in({{"src/loop/x_test.cpp", text}}),
                ElementsAre(is_finding("src/loop/x_test.cpp", 1, "only adapters, kit, apps, python")));
}

TEST(LayerRule, FindsUnknownModules) {
    EXPECT_THAT(findings_in({{"src/attic/x.hpp", ""}}),
                ElementsAre(is_finding("src/attic/x.hpp", 1, "module attic is not in src/layers.txt")));
    EXPECT_THAT(findings_in({{"src/wire/x.hpp", "#include \"attic/x.hpp\"\n"}}),
                ElementsAre(is_finding("src/wire/x.hpp", 1, "there is no module attic")));
    EXPECT_THAT(findings_in({{"apps/main.cpp", "#include \"attic/x.hpp\"\n"}}),
                ElementsAre(is_finding("apps/main.cpp", 1, "neither in a module nor in this folder")));
}

TEST(LayerRule, WantsTheModuleInEveryInclude) {
    EXPECT_THAT(findings_in({{"src/wire/x.cpp", "#include \"x.hpp\"\n"}}),
                ElementsAre(is_finding("src/wire/x.cpp", 1, "write \"wire/x.hpp\"")));
}

TEST(LayerRule, LetsOutsideFoldersIncludeTheirOwnFiles) {
    EXPECT_THAT(findings_in({{"bench/bench_x.cpp", "#include \"relay.hpp\"\n"}, {"bench/relay.hpp", ""}}),
                IsEmpty());
    EXPECT_THAT(findings_in({{"tests/x_test.cpp", "#include \"deep/y.hpp\"\n"}, {"tests/deep/y.hpp", ""}}),
                IsEmpty());
    EXPECT_THAT(findings_in({{"bench/bench_x.cpp", "#include \"deep/y.hpp\"\n"}, {"tests/deep/y.hpp", ""}}),
                IsEmpty());
}

TEST(LayerRule, FindsEntriesThatAreNotUsed) {
    const Layers table = Layers::parse("base:\n# layer 1\nwire: base\n");
    EXPECT_THAT(check_layers(table, std::vector<SourceFile>{{"src/wire/x.cpp", "#include <vector>\n"}}),
                ElementsAre(is_finding("src/layers.txt", 3, "wire may include base, but does not")));
}

TEST(LayerTable, PointsDownOnly) {
    EXPECT_THAT(Layers::parse("base: wire\nwire:\n").findings,
                ElementsAre(is_finding("src/layers.txt", 1, "wire is not the module of an earlier line")));
}

TEST(LayerTable, KeepsPlatformForPrograms) {
    EXPECT_THAT(Layers::parse("platform:\nbus: platform\n").findings,
                ElementsAre(is_finding("src/layers.txt", 2, "no module may include platform")));
}

TEST(LayerRule, KnowsModulesInFolders) {
    const Layers table = Layers::parse("base:\nplatform: base\nadapters/dds: platform\n");
    EXPECT_THAT(table.findings, IsEmpty());
    EXPECT_THAT(
        check_layers(
            table, std::vector<SourceFile>{{"src/platform/x.cpp", "#include \"base/b.hpp\"\n"},
                                           {"src/adapters/dds/x.cpp",
                                            "#include \"adapters/dds/y.hpp\"\n#include \"platform/x.hpp\"\n"},
                                           {"src/platform/y.cpp", "#include \"adapters/dds/x.hpp\"\n"},
                                           {"tests/x_test.cpp", "#include \"adapters/dds/x.hpp\"\n"}}),
        ElementsAre(is_finding("src/platform/y.cpp", 1, "platform may not include adapters/dds, only base")));
}

TEST(LayerTable, RefusesLinesItDoesNotUnderstand) {
    EXPECT_THAT(Layers::parse("base\nwire:\nwire:\n").findings,
                ElementsAre(is_finding("src/layers.txt", 1, "is not a line of the table"),
                            is_finding("src/layers.txt", 3, "wire has two lines")));
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

TEST(PublicHeaderRule, AcceptsGeneratedHeaders) {
    EXPECT_THAT(
        check_public_headers("bus/x.hpp\n", std::vector<SourceFile>{{"src/bus/x.hpp",
                                                                     "#include \"msg/a/m.hpp\"\n"
                                                                     "#include \"msg/inner.hpp\"\n"}}),
        ElementsAre(is_finding("src/bus/x.hpp", 2, "includes msg/inner.hpp, which is not installed")));
}

}  // namespace
}  // namespace caribou::rules
