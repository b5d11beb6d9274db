#include "robot/self_check_record.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <test_paths.hpp>

namespace caribou::robot {
namespace {

const std::string digest(64, 'a');

TEST(SelfCheckRecord, IsWrittenAndReadBack) {
    const SelfCheckRecord record{
        .passed = true,
        .body = digest,
        .program = "0.2.0",
        .at = "2026-11-16T07:00:00Z",
        .items = {"passed stop: \"zero\" ordered", "unverified wheels: no encoders"}};
    EXPECT_EQ(self_check_record_from(file_text_of(record)), record);
    EXPECT_EQ(file_text_of({.body = digest, .items = {"a"}}),
              "# Written by `caribou robot --self-check`. Without it the robot refuses RM2 and RM3.\n"
              "version = 1\npassed = false\nbody = \"" +
                  digest + "\"\nprogram = \"\"\nat = \"\"\nitems = [\n  \"a\",\n]\n");
}

TEST(SelfCheckRecord, IsReadAsItsPageShowsIt) {
    std::stringstream page;
    page << std::ifstream(tests::in_repository("docs/formats/self-check.md")).rdbuf();
    const std::string text = page.str();
    const auto from = text.find("```toml\n") + 8;
    const auto record = self_check_record_from(text.substr(from, text.find("```", from) - from));
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_TRUE(record->passed);
    EXPECT_EQ(record->items.size(), 1U);
}

TEST(SelfCheckRecord, IsRefusedUnlessItIsWhole) {
    const std::string body = "body = \"" + digest + "\"\n";
    for (const std::string& text :
         {std::string(), std::string("\xff"), "version = 1\n" + body, "passed = true\n" + body,
          std::string("version = 1\npassed = true\n"), "version = 0\npassed = true\n" + body,
          "version = 1\npassed = \"true\"\n" + body,
          std::string("version = 1\npassed = true\nbody = \"aa\"\n"),
          "version = 1\npassed = true\nbody = \"" + std::string(64, 'g') + "\"\n",
          file_text_of({.passed = true, .body = digest}).substr(0, 120)})
        EXPECT_EQ(self_check_record_from(text).error().code, Code::malformed) << text;
    EXPECT_EQ(self_check_record_from("version = 2\npassed = true\n" + body).error().code, Code::refused);
}

}  // namespace
}  // namespace caribou::robot
