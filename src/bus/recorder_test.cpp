#include "bus/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::StartsWith;

/// In-memory files on a disk of limited size.
struct MemoryFiles final : LogFiles {
    Result<void> open(const std::string& name) override {
        current = name;
        files[name + ".alog"];
        return {};
    }
    Result<void> append_lines(std::string_view lines) override { return append(".alog", lines); }
    Result<void> append_side(std::string_view side) override { return append(".blog", side); }
    Result<void> close() override {
        closed += 1;
        return {};
    }
    Result<void> append(const std::string& ending, std::string_view bytes) {
        if (bytes.size() > room) return fail(Code::io, "no space left on device");
        room -= bytes.size();
        files[current + ending] += bytes;
        return {};
    }

    std::map<std::string, std::string> files;
    std::string current;
    std::size_t room = 100_MiB;
    int closed = 0;
};

wire::MessageView value(double number) {
    return {
        .type = wire::MessageType::notify, .source = "s", .key = "X", .time = 1'800'000'000, .value = number};
}

std::vector<double> numbers_in(std::string_view log) {
    std::vector<double> all;
    wire::AlogReader reader(log);
    while (const auto entry = reader.next()) all.push_back(entry->number);
    return all;
}

TEST(Recorder, WritesOneLogUnlessToldToRotate) {
    MemoryFiles files;
    Recorder recorder(files, {.name = "run"});
    ASSERT_TRUE(recorder.start(Instant{}, 1'800'000'000));
    const Instant start{};
    ASSERT_TRUE(recorder.add(value(1), start, 1'800'000'000));
    ASSERT_TRUE(recorder.add(value(2), start + 24h, 1'800'000'000));
    EXPECT_EQ(files.files["run.alog"], "") << "small things wait";
    ASSERT_TRUE(recorder.flush());
    EXPECT_THAT(numbers_in(files.files["run.alog"]), ElementsAre(1, 2));
    ASSERT_TRUE(recorder.finish());
    EXPECT_EQ(files.closed, 1);
    EXPECT_EQ(
        recorder.stats(),
        (Recorder::Stats{.messages = 2, .bytes = files.files["run.alog"].size(), .logs = 1, .log = "run"}));
}

TEST(Recorder, LeavesAnEmptyLogWhenNothingCame) {
    MemoryFiles files;
    Recorder recorder(files, {.name = "run"});
    ASSERT_TRUE(recorder.start(Instant{}, 1'800'000'000));
    ASSERT_TRUE(recorder.finish());
    EXPECT_THAT(files.files["run.alog"], HasSubstr("LOGSTART"));
}

TEST(Recorder, BeginsANewLogWhenOneIsOld) {
    MemoryFiles files;
    Recorder recorder(files, {.name = "run", .rotate_after = 10s});
    ASSERT_TRUE(recorder.start(Instant{}, 1'800'000'000));
    for (int second = 0; second < 25; ++second)
        ASSERT_TRUE(recorder.add(value(second), Instant{} + second * 1s, 1'800'000'000 + second));
    ASSERT_TRUE(recorder.finish());
    EXPECT_THAT(files.files, ElementsAre(Key("run_001.alog"), Key("run_002.alog"), Key("run_003.alog")));
    EXPECT_EQ(numbers_in(files.files["run_002.alog"]).front(), 10);
    EXPECT_EQ(numbers_in(files.files["run_003.alog"]).size(), 5u);
    EXPECT_THAT(files.files["run_002.alog"], HasSubstr("1800000010.000000"));
    EXPECT_EQ(files.closed, 3);
}

TEST(Recorder, BeginsANewLogWhenOneIsLargeAndLosesNothing) {
    MemoryFiles files;
    Recorder recorder(files, {.name = "run", .rotate_bytes = 100'000});
    ASSERT_TRUE(recorder.start(Instant{}, 1'800'000'000));
    std::vector<double> expected;
    for (int i = 0; i < 10'000; ++i) {
        expected.push_back(i);
        ASSERT_TRUE(recorder.add(value(i), Instant{}, 1'800'000'000));
    }
    ASSERT_TRUE(recorder.finish());
    std::vector<double> found;
    std::size_t bytes = 0;
    for (const auto& [name, log] : files.files) {
        EXPECT_LT(log.size(), 101'000u) << name;
        for (const double number : numbers_in(log)) found.push_back(number);
        bytes += log.size();
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(recorder.stats().bytes, bytes);
    EXPECT_GT(recorder.stats().logs, 4u);
}

TEST(Recorder, WritesWhatStandsBesideBeforeTheLineThatRefersToIt) {
    MemoryFiles files;
    Recorder recorder(files, {.name = "run"});
    ASSERT_TRUE(recorder.start(Instant{}, 1'800'000'000));
    auto image = value(0);
    image.data_type = wire::DataType::binary;
    image.payload = "abc";
    ASSERT_TRUE(recorder.add(image, Instant{}, 1'800'000'000));
    files.room = 3;
    const auto flushed = recorder.flush();
    ASSERT_FALSE(flushed);
    EXPECT_EQ(files.files["run.blog"], "abc");
    EXPECT_EQ(files.files["run.alog"], "");
}

TEST(Recorder, HandsOnThatTheDiskIsFull) {
    MemoryFiles files;
    files.room = 300'000;
    Recorder recorder(files, {.name = "run"});
    ASSERT_TRUE(recorder.start(Instant{}, 1'800'000'000));
    Result<void> added;
    int count = 0;
    for (; added && count < 100'000; ++count) added = recorder.add(value(count), Instant{}, 1'800'000'000);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().message, "no space left on device");
    EXPECT_GT(numbers_in(files.files["run.alog"]).size(), 3'000u) << "what was flushed before is there";
}

}  // namespace
}  // namespace caribou::bus
