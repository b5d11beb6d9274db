#include "platform/named_thread.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <set>

namespace caribou {
namespace {

/// Returns the names of this process's threads, as shown by `ps -T`.
std::set<std::string> thread_names() {
    std::set<std::string> names;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(task.path() / "comm");
        std::string name;
        std::getline(file, name);
        names.insert(name);
    }
    return names;
}

/// Runs `function` on that thread and returns its result.
template <class Function>
auto on(NamedThread& thread, Function function) {
    std::promise<decltype(function())> promise;
    thread.loop().post_from_any_thread([&] { promise.set_value(function()); });
    return promise.get_future().get();
}

TEST(NamedThread, RunsItsLoopUnderItsName) {
    MemoryLog log;
    NamedThread thread({"ThreadTrial"}, log);
    EXPECT_FALSE(thread_names().contains("ThreadTrial"));
    ASSERT_TRUE(thread.start().has_value());
    EXPECT_NE(on(thread, [] { return pthread_self(); }), pthread_self());
    EXPECT_TRUE(thread_names().contains("ThreadTrial"));
    thread.stop();
    EXPECT_FALSE(thread.running());
    EXPECT_TRUE(log.lines.empty());
}

TEST(NamedThread, PrefersRealTimeOrSaysOnceThatItMayNot) {
    MemoryLog log;
    NamedThread thread({"ThreadTrial", 10}, log);
    ASSERT_TRUE(thread.start().has_value());
    const int policy = on(thread, [] {
        sched_param parameters{};
        int current = 0;
        pthread_getschedparam(pthread_self(), &current, &parameters);
        return current;
    });
    EXPECT_EQ(log.lines.size(), policy == SCHED_FIFO ? 0U : 1U);
    if (policy != SCHED_FIFO) {
        EXPECT_TRUE(log.mentions("ThreadTrial runs without real-time priority"));
    }
}

TEST(NamedThread, NamesTheLimitThatAllThreadsAndTheGuardNeed) {
    MemoryLog log;
    NamedThread thread({"ThreadTrial", 1000}, log);  // not a priority
    ASSERT_TRUE(thread.start().has_value());
    EXPECT_TRUE(log.mentions("set LimitRTPRIO=70 in its unit"));
}

TEST(NamedThread, StopsWhenItGoes) {
    MemoryLog log;
    const auto held = std::make_shared<int>(1);
    {
        NamedThread thread({"ThreadTrial"}, log);
        ASSERT_TRUE(thread.start().has_value());
        thread.loop().post_from_any_thread([held] {});
    }
    EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace caribou
