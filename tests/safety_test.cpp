// docs/safety.md names a test for each guarantee: checks that these tests exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include <test_paths.hpp>
#include "rules/source_text.hpp"

namespace caribou::rules {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns the rows of a page's tables without a valid proof: a missing file or test, or none at all.
std::vector<std::string> unproved(std::string_view page, const std::vector<SourceFile>& files) {
    static const std::regex quoted("`([^`]+)`");
    static const std::regex test_name("(\\w+)\\.(\\w+)");
    std::vector<std::string> found;
    bool wants_proof = false;
    for (const std::string_view line : lines_of(page)) {
        if (!line.starts_with("|")) wants_proof = false;
        if (line.ends_with("| proof |")) wants_proof = true;
        if (!wants_proof || line.starts_with("|---") || line.ends_with("| proof |")) continue;
        const std::string row(line.substr(line.rfind('|', line.size() - 2)));
        const SourceFile* file = nullptr;
        bool proved = false;
        for (std::sregex_iterator at(row.begin(), row.end(), quoted), end; at != end; ++at) {
            const std::string word = (*at)[1];
            std::smatch name;
            if (word.ends_with(".cpp")) {
                const auto named = std::ranges::find(files, word, &SourceFile::path);
                file = named == files.end() ? nullptr : &*named;
                if (file == nullptr) found.push_back(word);
            } else if (file != nullptr && std::regex_match(word, name, test_name)) {
                proved = true;
                const std::string start = fmt::format("({}, {}", name[1].str(), name[2].str());
                if (!file->text.contains(start + ")") && !file->text.contains(start + ","))
                    found.push_back(word);
            }
        }
        if (!proved) found.emplace_back(line);
    }
    return found;
}

TEST(Safety, HasATestForEveryPromise) {
    const std::vector<SourceFile> files = read_repository(tests::in_repository(""));
    const auto page = std::ranges::find(files, "docs/safety.md", &SourceFile::path);
    ASSERT_NE(page, files.end());
    ASSERT_TRUE(page->text.contains("| promise | proof |"));
    EXPECT_THAT(unproved(page->text, files), IsEmpty());
}

TEST(SafetyRule, FindsPromisesWithoutATest) {
    const std::vector<SourceFile> files = {{"src/x_test.cpp", "TEST(X, Holds) {}\n"}};
    EXPECT_THAT(unproved("| promise | proof |\n|---|---|\n| a | `src/x_test.cpp` `X.Holds` |\n", files),
                IsEmpty());
    EXPECT_THAT(unproved("| p | proof |\n|---|---|\n| a | `src/x_test.cpp` `X.Breaks` |\n", files),
                ElementsAre("X.Breaks"));
    EXPECT_THAT(unproved("| p | proof |\n|---|---|\n| a | `src/y_test.cpp` |\n", files),
                ElementsAre("src/y_test.cpp", "| a | `src/y_test.cpp` |"));
    EXPECT_THAT(unproved("| p | proof |\n|---|---|\n| a | believe us |\n\n| b | c |\n", files),
                ElementsAre("| a | believe us |"));
}

}  // namespace
}  // namespace caribou::rules
