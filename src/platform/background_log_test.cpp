#include "platform/background_log.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace caribou {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// What has been written, and a gate in front of it: a disk that hangs while it is closed.
struct Written {
    std::mutex mutex;
    std::condition_variable news;
    bool open = true;
    std::vector<std::string> lines;
    std::vector<std::chrono::system_clock::time_point> times;

    void set_open(bool now) {
        const std::lock_guard lock(mutex);
        open = now;
        news.notify_all();
    }
};

class GatedLog final : public StampedLog {
public:
    explicit GatedLog(std::shared_ptr<Written> written) : written_(std::move(written)) {}
    void write_at(std::chrono::system_clock::time_point at, Level, std::string_view text) override {
        std::unique_lock lock(written_->mutex);
        written_->news.wait(lock, [this] { return written_->open; });
        written_->lines.emplace_back(text);
        written_->times.push_back(at);
    }

private:
    std::shared_ptr<Written> written_;
};

class BackgroundLogTest : public testing::Test {
protected:
    std::shared_ptr<Written> written = std::make_shared<Written>();
    std::optional<BackgroundLog> log{std::in_place, std::make_unique<GatedLog>(written)};
};

TEST_F(BackgroundLogTest, WritesAllLinesInOrderBeforeItIsDestroyed) {
    log->info("one");
    log->warning("two");
    log.reset();
    EXPECT_THAT(written->lines, ElementsAre("one", "two"));
}

TEST_F(BackgroundLogTest, HasWrittenAllLinesOnceItIsFlushed) {
    log->info("one");
    log->flush();
    EXPECT_THAT(written->lines, ElementsAre("one"));
}

TEST_F(BackgroundLogTest, DoesNotWaitForADiskThatHangsAndReportsHowManyLinesItHasDropped) {
    written->set_open(false);
    log->info("first");
    for (std::size_t i = 0; i < BackgroundLog::max_lines + 10; ++i) log->info(fmt::format("{}", i));
    written->set_open(true);
    log->flush();
    // The first line may have been taken by the thread already, or be one of those that wait.
    ASSERT_GE(written->lines.size(), BackgroundLog::max_lines + 1);
    EXPECT_EQ(written->lines.front(), "first");
    const std::size_t kept = written->lines.size() - 2;
    EXPECT_EQ(written->lines.back(),
              fmt::format("{} lines of the log were dropped", BackgroundLog::max_lines + 10 - kept));
    log->info("next");
    log->flush();
    EXPECT_EQ(written->lines.back(), "next");
}

TEST_F(BackgroundLogTest, ShowsTheTimeOfTheCallHoweverLateALineIsWritten) {
    written->set_open(false);
    log->info("one");
    const auto after = std::chrono::system_clock::now();
    log->info("two");
    written->set_open(true);
    log->flush();
    ASSERT_THAT(written->times, SizeIs(2));
    EXPECT_LE(written->times[0], after);
    EXPECT_GE(written->times[1], after);
}

TEST_F(BackgroundLogTest, EndsThoughItsDiskHangs) {
    written->set_open(false);
    log->info("one");
    log.reset();  // returns
    written->set_open(true);
}

}  // namespace
}  // namespace caribou
