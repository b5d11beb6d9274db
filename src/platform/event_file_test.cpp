#include "platform/event_file.hpp"

#include <stdlib.h>

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

TEST(EventFile, AddsALineAnEvent) {
    const TemporaryFolder folder;
    for (int life = 0; life < 2; ++life) {
        auto file = EventFile::open(folder / "events");
        ASSERT_TRUE(file);
        file->write(1767225600.25, "connected=a\nb");
    }
    std::ifstream in(folder / "events");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(text,
              "2026-01-01T00:00:00.250Z connected=a\\x0ab\n2026-01-01T00:00:00.250Z connected=a\\x0ab\n");
    EXPECT_THAT(EventFile::open(folder / "missing/events").error().message,
                testing::HasSubstr("cannot write"));
}

}  // namespace
}  // namespace caribou
