#include "kit/bus/threaded_comms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "bus/app_frame.hpp"
#include "kit/bus/broker_thread_rig.hpp"
#include "kit/bus/process_probe.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;

constexpr Duration longest_wait = 30s;

/// An app that blocks in its first iterate until it is released.
class BlockingApp final : public bus::App {
public:
    using App::App;
    Result<void> on_connect_to_server() override {
        register_variable("COUNT");
        return {};
    }
    Result<void> on_new_mail(std::span<const wire::Message> mail) override {
        for (const wire::Message& message : mail) counts.push_back(message.value);
        if (!counts.empty() && counts.back() == last_count) {
            notify("GOODBYE", 1);
            quit();
        }
        return {};
    }
    Result<void> iterate() override {
        if (std::exchange(blocked_, true)) return {};
        notify("BLOCKED", 1);
        released.wait(false);
        return {};
    }

    void release() {
        released = true;
        released.notify_all();
    }

    static constexpr double last_count = 100;
    std::atomic<bool> released = false;
    std::vector<double> counts;

private:
    bool blocked_ = false;
};

/// Runs the app on a thread, as run_app does on the main thread.
class AppThread {
public:
    AppThread(const Address& broker, Log& log, bus::ClientOptions options = {})
        : frame_(loop_, std::make_unique<ThreadedComms>(loop_, log), probe_, log,
                 {.name = "pBlocking", .server_host = "127.0.0.1", .server_port = broker.port}) {
        frame_.on_end([this](const std::optional<Error>&) { loop_.stop(); });
        EXPECT_TRUE(frame_.start(app, std::move(options)));
        thread_ = std::thread([this] { loop_.run(); });
    }
    ~AppThread() {
        app.release();
        loop_.stop();
        if (thread_.joinable()) thread_.join();
    }
    AppThread(const AppThread&) = delete;
    AppThread& operator=(const AppThread&) = delete;
    /// Returns when the app has ended.
    void join() { thread_.join(); }

private:
    EventLoop loop_;
    SystemProcessProbe probe_;
    bus::AppFrame frame_;
    std::thread thread_;

public:
    BlockingApp app{frame_};
};

class ThreadedCommsTest : public testing::Test {
protected:
    ThreadedCommsTest() {
        observer =
            ThreadedClient::start({.client = {.name = "observer", .broker = broker.address}}, log).value();
        for (const char* const key : {"BLOCKED", "GOODBYE", "DB_EVENT", "DB_UPTIME"})
            EXPECT_TRUE(observer->register_variable(key));
    }
    /// Waits for mail that satisfies a condition. Returns whether there was any; remembers all events.
    bool wait_for(const std::function<bool(const wire::Message&)>& condition) {
        bool found = false;
        while (!found && observer->wait_for_mail(longest_wait))
            for (const wire::Message& message : observer->fetch()) {
                if (message.key == "DB_EVENT") events.push_back(message.payload);
                if (message.key == "DB_UPTIME") uptime = message.value;
                found = found || condition(message);
            }
        return found;
    }
    bool wait_for(std::string_view key) {
        return wait_for([&](const wire::Message& message) { return message.key == key; });
    }

    static constexpr Duration client_timeout = 3s;

    MemoryLog log;
    BrokerThread broker{{.broker = {.limits = {.client_timeout = client_timeout}}}};
    std::unique_ptr<ThreadedClient> observer;
    std::vector<std::string> events;
    double uptime = 0;
};

TEST_F(ThreadedCommsTest, SendsReceivesAndStaysConnectedWhileACallbackBlocks) {
    AppThread thread(broker.address, log);
    ASSERT_TRUE(wait_for("BLOCKED"));  // sent although iterate has not returned
    for (int i = 1; i <= BlockingApp::last_count; ++i) ASSERT_TRUE(observer->notify("COUNT", i));
    ASSERT_TRUE(wait_for("DB_UPTIME"));
    const double enough = uptime + 1.5 * to_seconds(client_timeout);
    ASSERT_TRUE(wait_for([&](const wire::Message&) { return uptime >= enough; }));
    thread.app.release();
    ASSERT_TRUE(wait_for("GOODBYE"));  // sent although the app has ended at once
    thread.join();
    EXPECT_EQ(thread.app.counts.size(), 100u);
    EXPECT_EQ(std::ranges::count(events, "connected=pBlocking"), 1);
    EXPECT_FALSE(log.mentions("lost the connection"));
    EXPECT_FALSE(log.mentions("callbacks of the app took"));
}

TEST_F(ThreadedCommsTest, ReportsMailThatABlockedAppCouldNotKeep) {
    AppThread thread(broker.address, log, {.inbox = {.messages = 10}});
    ASSERT_TRUE(wait_for("BLOCKED"));
    for (int i = 1; i <= BlockingApp::last_count; ++i) ASSERT_TRUE(observer->notify("COUNT", i));
    ASSERT_TRUE(wait_for("DB_UPTIME"));
    const double enough = uptime + 2;  // the mail has arrived by then
    ASSERT_TRUE(wait_for([&](const wire::Message&) { return uptime >= enough; }));
    thread.app.release();
    ASSERT_TRUE(wait_for("GOODBYE"));
    thread.join();
    EXPECT_LT(thread.app.counts.size(), 100u);
    EXPECT_EQ(thread.app.counts.back(), BlockingApp::last_count);
    EXPECT_TRUE(log.mentions("lost: the callbacks of the app are too slow"));
}

}  // namespace
}  // namespace caribou
