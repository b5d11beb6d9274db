// A broker that is repeatedly killed under load: its clients reconnect within a second, and its values are
// complete. CARIBOU_RESTARTS=100 sets the number of restarts.

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "base/log.hpp"
#include "bus/client.hpp"
#include "bus/journal_files.hpp"
#include "child/child_process.hpp"
#include "faults/quality.hpp"
#include "platform/event_loop.hpp"
#include "platform/file_disk.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"
#include "wire/codec.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

constexpr Duration patience = 30s;
/// A connection that lasted for a second is retried immediately.
constexpr Duration lifetime = 1100ms;
constexpr std::size_t writers = 8;
constexpr std::size_t variables_each = 50;

std::size_t restarts() {
    const char* const wanted = std::getenv("CARIBOU_RESTARTS");
    return wanted ? std::strtoul(wanted, nullptr, 10) : 5;
}

using State = std::map<std::string, double, std::less<>>;

class RestartTest : public testing::TestWithParam<const char*> {
protected:
    std::unique_ptr<ChildProcess> start() const {
        auto program = std::make_unique<ChildProcess>(
            std::vector<std::string>{in_build("caribou"), "db", "--port", "0", "--unix", socket_, "--data",
                                     data_, "--durability", GetParam()});
        std::ignore = program->read_line(patience);
        EXPECT_TRUE(program->read_line(patience)) << "it tells where it listens";
        return program;
    }
    std::unique_ptr<bus::Client> client(const std::string& name) {
        auto made = std::make_unique<bus::Client>(
            loop_, network_, bus::ClientOptions{.name = name, .broker = Address::unix_path(socket_)});
        EXPECT_TRUE(made->start());
        return made;
    }
    bool all_connected(bool wanted = true) const {
        return std::ranges::all_of(clients_, [&](const auto& c) { return c->connected() == wanted; });
    }
    void run_for(Duration span) {
        const Instant until = loop_.clock().now() + span;
        EXPECT_TRUE(loop_.run_until([&] { return loop_.clock().now() >= until; }, patience));
    }
    /// Every writer writes the next number to each of its variables.
    void write() {
        count_ += 1;
        for (std::size_t i = 0; i < writers; ++i)
            for (std::size_t v = 0; v < variables_each; ++v)
                std::ignore = clients_[i]->notify(fmt::format("V_{}_{}", i, v), count_);
    }
    /// Returns the values in the directory of a dead broker.
    State kept() const {
        MemoryLog log;
        State state;
        const auto disk = FileDisk::open(data_);
        EXPECT_TRUE(disk) << (disk ? "" : disk.error().message);
        if (!disk) return state;
        bus::JournalFiles files(**disk);
        const auto kept = files.open(log);
        EXPECT_TRUE(kept);
        EXPECT_FALSE(log.mentions("damaged"));
        if (!kept) return state;
        for (const wire::JournalValue& value : kept->contents.values) {
            const auto message = wire::decode_message(value.message);
            state[std::string(message->key)] = message->value;
        }
        return state;
    }

    TemporaryFolder scratch_;
    const std::string data_ = scratch_ / "values";
    const std::string socket_ = scratch_ / "socket";
    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    std::vector<std::unique_ptr<bus::Client>> clients_;
    double count_ = 0;
};

TEST_P(RestartTest, BringsClientsAndValuesBackAfterEveryKill) {
    auto broker = start();
    for (std::size_t i = 0; i < writers; ++i) clients_.push_back(client(fmt::format("writer{}", i)));
    clients_.push_back(client("reader"));
    State told;  // values received by the reader
    std::ignore = clients_.back()->register_wildcard("V_*", "*");
    const auto listen = [&] {
        for (const auto& m : clients_.back()->fetch()) told[m.key] = std::max(told[m.key], m.value);
    };
    Duration slowest{};   // from the broker's restart to the last client's reconnect
    Duration downtime{};  // longest time without a broker
    std::unique_ptr<Timer> ticker;
    ticker = loop_.make_timer([&] {
        write();
        listen();
        ticker->arm(loop_.clock().now() + 10ms);
    });
    ticker->arm(loop_.clock().now());
    for (std::size_t round = 0; round < restarts(); ++round) {
        ASSERT_TRUE(loop_.run_until([&] { return all_connected(); }, patience)) << round;
        run_for(lifetime);
        listen();
        const State heard = told;
        // Values received this long ago must be stored in every mode.
        if (std::string_view(GetParam()) != "always") run_for(300ms);
        const Instant killed = loop_.clock().now();
        broker->signal(SIGKILL);
        ASSERT_TRUE(broker->wait(patience));
        ASSERT_TRUE(loop_.run_until([&] { return all_connected(false); }, patience)) << round;
        const State state = kept();
        for (const auto& [key, value] : heard) {
            const auto found = state.find(key);
            ASSERT_TRUE(found != state.end() && found->second >= value)
                << "round " << round << ": " << key << " was told as " << value;
        }
        broker = start();
        const Instant back = loop_.clock().now();
        ASSERT_TRUE(loop_.run_until([&] { return all_connected(); }, patience)) << round;
        slowest = std::max(slowest, loop_.clock().now() - back);
        downtime = std::max(downtime, back - killed);
        listen();
        told.clear();  // values received from the previous broker
    }
    EXPECT_LT(slowest, sanitized ? 5s : 1s);
    fmt::print("{} kills; the broker was back within {:.0f} ms, all clients {:.0f} ms later\n", restarts(),
               to_seconds(downtime) * 1000, to_seconds(slowest) * 1000);
}

INSTANTIATE_TEST_SUITE_P(Restart, RestartTest, testing::Values("batched", "always"),
                         [](const auto& durability) { return std::string(durability.param); });

}  // namespace
}  // namespace caribou::tests
