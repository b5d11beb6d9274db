// Brokers that are ended by SIGTERM and SIGKILL, and clients that behave like the original MOOS library: a
// client whose handshake is cut never tries again, so no handshake may be cut.

#include <signal.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "bus/moos_client_rig.hpp"
#include "child/program.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using bus::MoosClient;

constexpr std::size_t client_count = 50;
constexpr int rounds = 20;

class Reconnect : public testing::Test {
protected:
    Reconnect() {
        ChildProcess broker(command({"db", "--port", "0", "--quiet"}));
        const std::string line = broker.read_line(limit).value_or(":0");
        port_ = line.substr(line.rfind(':') + 1);
        broker.signal(SIGTERM);
        EXPECT_TRUE(broker.wait(limit));
    }

    std::unique_ptr<ChildProcess> start_broker() const {
        // The clients send nothing after their handshake, hence the timeout.
        auto started =
            std::make_unique<ChildProcess>(command({"db", "--port", port_, "--quiet", "--timeout", "3600"}));
        EXPECT_TRUE(started->read_line(limit)) << "the broker prints its address";
        return started;
    }
    std::unique_ptr<ChildProcess> start_launch() const {
        const std::string mission = folder_ / "mission.moos";
        std::ofstream(mission) << "ServerPort = " << port_ << "\nCommunity = test\nClientTimeout = 3600\n"
                               << "ProcessConfig = ANTLER\n{\n  Run = MOOSDB\n}\n";
        auto started = std::make_unique<ChildProcess>(command({"launch", mission}));
        while (const auto line = started->read_line(limit))
            if (line->find("community test at") != std::string::npos) return started;
        ADD_FAILURE() << "the broker prints its address";
        return started;
    }
    std::unique_ptr<ChildProcess> start_robot() const {
        const std::string config = folder_ / "rover.toml";
        std::ofstream(config) << "name = \"rover\"\nDefaultRunMode = 2\nDefaultComMode = 0\n"
                              << "[bus]\nhost = true\naddress = \"127.0.0.1:" << port_ << "\"\n";
        auto started = std::make_unique<ChildProcess>(
            command({"robot", "--config", config}), Words{"CARIBOU_KEYS=" + (folder_ / "keys").string(),
                                                          "XDG_STATE_HOME=" + (folder_ / "state").string()});
        while (const auto line = started->read_line(limit))
            if (line->find("is ready") != std::string::npos) return started;
        ADD_FAILURE() << "the robot is ready";
        return started;
    }
    void add_clients(MoosClient::After after = MoosClient::After::welcome_stays) {
        const auto broker = Address::parse("127.0.0.1:" + port_);
        for (std::size_t i = 0; i < client_count; ++i)
            clients_.push_back(std::make_unique<MoosClient>(
                loop_, network_, *broker, fmt::format("client_{}_{}", static_cast<int>(after), i), after));
    }
    template <class Holds>
    bool wait_for_all(Holds holds) {
        return loop_.run_until(
            [&] { return std::ranges::all_of(clients_, [&](const auto& c) { return holds(*c); }); }, limit);
    }
    std::size_t given_up() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(clients_, [](const auto& c) { return c->has_given_up(); }));
    }
    /// Ends the program by SIGTERM and SIGKILL in turn, with all clients connected, and restarts it.
    template <class Start>
    void expect_all_return(Start start) {
        auto running = start();
        add_clients();
        std::size_t returned = 0;
        for (int round = 0; round < rounds; ++round) {
            ASSERT_TRUE(wait_for_all([](const MoosClient& c) { return c.is_welcome(); })) << given_up();
            running->signal(round % 2 == 0 ? SIGTERM : SIGKILL);
            EXPECT_TRUE(loop_.run_until(
                [&] { return std::ranges::none_of(clients_, [](const auto& c) { return c->is_welcome(); }); },
                limit));
            EXPECT_TRUE(running->wait(limit));
            running = start();
            wait_for_all([](const MoosClient& c) { return c.is_welcome() || c.has_given_up(); });
            returned += client_count - given_up();
            ASSERT_EQ(given_up(), 0u) << "clients lost in round " << round;
        }
        EXPECT_EQ(returned, client_count * rounds);
    }

    TemporaryFolder folder_;
    std::string port_;
    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    std::vector<std::unique_ptr<MoosClient>> clients_;
};

TEST_F(Reconnect, BringsEveryMoosClientBackWhenTheBrokerIsEnded) {
    expect_all_return([this] { return start_broker(); });
}

TEST_F(Reconnect, BringsEveryMoosClientBackWhenALaunchIsEnded) {
    expect_all_return([this] { return start_launch(); });
}

TEST_F(Reconnect, BringsEveryMoosClientBackWhenTheRobotThatHostsTheBusIsEnded) {
    expect_all_return([this] { return start_robot(); });
}

TEST_F(Reconnect, CutsNoHandshakeOnSigterm) {
    add_clients(MoosClient::After::welcome_reconnects);
    std::vector<std::size_t> seen(client_count, 0);
    for (int round = 0; round < 5; ++round) {
        const auto broker = start_broker();
        // Each client has been accepted at least twice by this broker: handshakes are in progress all the
        // time.
        for (std::size_t i = 0; i < client_count; ++i) seen[i] = clients_[i]->welcomes() + 2;
        loop_.run_until(
            [&] {
                for (std::size_t i = 0; i < client_count; ++i)
                    if (clients_[i]->welcomes() < seen[i] && !clients_[i]->has_given_up()) return false;
                return true;
            },
            limit);
        broker->signal(SIGTERM);
        std::optional<ChildProcess::End> end;
        ASSERT_TRUE(loop_.run_until([&] { return end || (end = broker->wait(0ms)); }, limit));
        EXPECT_EQ(end->code, 0) << end->err;
        ASSERT_EQ(given_up(), 0u) << "clients lost in round " << round;
    }
}

}  // namespace
}  // namespace caribou::tests
