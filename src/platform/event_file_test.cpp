#include "platform/event_file.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(EventFile, AddsALineAnEvent) {
    std::string path = std::filesystem::temp_directory_path() / "caribou-events-XXXXXX";
    path = ::mkdtemp(path.data());
    for (int life = 0; life < 2; ++life) {
        auto file = EventFile::open(path + "/events");
        ASSERT_TRUE(file);
        file->write(1767225600.25, "connected=a\nb");
    }
    std::ifstream in(path + "/events");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(text,
              "2026-01-01T00:00:00.250Z connected=a\\x0ab\n2026-01-01T00:00:00.250Z connected=a\\x0ab\n");
    EXPECT_THAT(EventFile::open(path + "/missing/events").error().message,
                testing::HasSubstr("cannot write"));
    std::filesystem::remove_all(path);
}

}  // namespace
}  // namespace caribou
