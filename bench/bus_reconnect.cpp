// Restarts of the broker: how many clients, which behave like those of the original library, reconnect.

#include <signal.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/log.hpp"
#include "bus/moos_client_rig.hpp"
#include "bus_figures.hpp"
#include "bus_servers.hpp"
#include "give_up.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;
using bus::MoosClient;

constexpr std::size_t clients = 50;
constexpr Duration limit = 30s;

}  // namespace

void reconnect_ok(const Report& report, const Effort& effort) {
    const int restarts = (effort.count + static_cast<int>(clients) - 1) / static_cast<int>(clients);
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    std::optional<BrokerProcess> broker(std::in_place);
    const std::uint16_t port = broker->target().port;
    std::vector<std::unique_ptr<MoosClient>> all;
    for (std::size_t i = 0; i < clients; ++i)
        all.push_back(std::make_unique<MoosClient>(loop, network, Address::ip("127.0.0.1", port),
                                                   fmt::format("client_{}", i)));
    const auto is_settled = [&] {
        return std::ranges::all_of(all, [](const auto& c) { return c->is_welcome() || c->has_given_up(); });
    };
    if (!loop.run_until(is_settled, limit)) give_up("the clients do not get in");
    std::size_t returned = 0;
    for (int i = 0; i < restarts; ++i) {
        ::kill(broker->pid(), i % 2 == 0 ? SIGTERM : SIGKILL);
        loop.run_until(
            [&] { return std::ranges::none_of(all, [](const auto& c) { return c->is_welcome(); }); }, limit);
        broker.emplace(std::vector<std::string>{}, port);
        if (!loop.run_until(is_settled, limit)) give_up("the clients do not get in again");
        returned += static_cast<std::size_t>(
            std::ranges::count_if(all, [](const auto& c) { return c->is_welcome(); }));
    }
    const auto all_returns = static_cast<double>(restarts) * static_cast<double>(clients);
    report.add({.metric = "reconnect_ok",
                .value = static_cast<double>(returned),
                .unit = fmt::format("of {}", all_returns),
                .at_least = all_returns});
}

}  // namespace caribou::bench
