#include "base/path_name.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(PathName, IsOneFolderEntryWhateverItIsAppendedTo) {
    for (const std::string_view good : {"bot7", "a", "Rover-2_b"}) EXPECT_TRUE(check_path_name(good)) << good;
    EXPECT_TRUE(check_path_name(std::string(max_path_name, 'x')));
    for (const std::string_view bad :
         {"", ".", "..", "../keys/x", "a/b", "/etc/x", "a.previous", "a b", "a\n", "\xc3\xa4", "~", "a\\b"})
        EXPECT_FALSE(check_path_name(bad)) << bad;
    EXPECT_FALSE(check_path_name(std::string(max_path_name + 1, 'x')));
    EXPECT_FALSE(check_path_name(std::string_view("a\0b", 3)));
}

TEST(PathName, OfAFileMayHaveAnEndingButNoFolder) {
    for (const std::string_view good : {"rainbow.json", "a", "x.tar.gz"})
        EXPECT_TRUE(check_file_name(good)) << good;
    for (const std::string_view bad : {"", ".", "..", ".hidden", "../x.json", "a/b.json", "/etc/passwd"})
        EXPECT_FALSE(check_file_name(bad)) << bad;
}

TEST(PathName, IsShownWithoutWhatATerminalActsOn) {
    const auto checked = check_path_name("a\x1b[2Jb");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message,
              "`a?[2Jb` is not a valid name; expected 1 to 64 letters, digits, `-` or `_`");
}

}  // namespace
}  // namespace caribou
