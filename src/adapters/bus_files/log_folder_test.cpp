#include "adapters/bus_files/log_folder.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/mapped_file.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using testing::HasSubstr;

struct LogFolderTest : testing::Test {
    std::string path(const std::string& name) const { return folder / name; }
    std::string read(const std::string& name) const {
        const auto file = MappedFile::open(path(name));
        return file ? std::string(file->text()) : file.error().message;
    }

    TemporaryFolder folder;
};

TEST_F(LogFolderTest, WritesALogAndWhatStandsBesideIt) {
    LogFolder logs;
    ASSERT_TRUE(logs.open(path("run")));
    ASSERT_TRUE(logs.append_lines("one\n"));
    EXPECT_FALSE(std::filesystem::exists(path("run.blog"))) << "only if there is something beside";
    ASSERT_TRUE(logs.append_side("bytes"));
    ASSERT_TRUE(logs.append_lines("two\n"));
    ASSERT_TRUE(logs.open(path("next")));
    ASSERT_TRUE(logs.close());
    EXPECT_EQ(read("run.alog"), "one\ntwo\n");
    EXPECT_EQ(read("run.blog"), "bytes");
    EXPECT_EQ(read("next.alog"), "");
}

TEST_F(LogFolderTest, OverwritesNothing) {
    LogFolder first;
    ASSERT_TRUE(first.open(path("run")));
    LogFolder second;
    const auto opened = second.open(path("run"));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::already_exists);
    EXPECT_THAT(opened.error().message, HasSubstr("run.alog is there already"));
}

TEST_F(LogFolderTest, SaysWhereItCannotWrite) {
    LogFolder logs;
    EXPECT_THAT(logs.open(path("no/such/folder")).error().message,
                HasSubstr("folder.alog: no such file or directory"));
}

/// A limit on the size of files, which has the same effect as a full disk.
class SizeLimit {
public:
    explicit SizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SizeLimit(const SizeLimit&) = delete;
    SizeLimit& operator=(const SizeLimit&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST_F(LogFolderTest, LeavesNoHalfLinesWhenThereIsNoRoom) {
    LogFolder logs;
    ASSERT_TRUE(logs.open(path("run")));
    {
        const SizeLimit limit(10);
        ASSERT_TRUE(logs.append_lines("123456\n"));
        const auto written = logs.append_lines("abcdef\n");
        ASSERT_FALSE(written);
        EXPECT_THAT(written.error().message, HasSubstr("run.alog: file too large"));
    }
    EXPECT_EQ(read("run.alog"), "123456\n");
}

TEST_F(LogFolderTest, MapsOnlyFiles) {
    EXPECT_THAT(MappedFile::open(path("none")).error().message, HasSubstr("no such file"));
    EXPECT_THAT(MappedFile::open(folder.path()).error().message, HasSubstr("is not a file"));
}

}  // namespace
}  // namespace caribou
