// Uses the installed package with both kinds of includes, and calls a function of each module.
#include <caribou/behavior/act.hpp>
#include <caribou/behavior/runner.hpp>
#include <caribou/bus/client.hpp>
#include <caribou/loop/memory_network.hpp>
#include <caribou/loop/virtual_loop.hpp>
#include <caribou/platform/event_loop.hpp>
#include <caribou/wire/codec.hpp>

#include "base/result.hpp"

using namespace std::chrono_literals;

int main() {
    caribou::VirtualLoop loop;
    caribou::MemoryNetwork network(loop);
    caribou::bus::Client client(loop, network, {.name = "outside"});
    if (!client.start() || !client.notify("DEPTH", 4.5)) return 1;
    loop.advance(10s);
    if (client.connected() || client.pending() != 1) return 2;  // no broker is listening there

    auto tree = std::make_unique<caribou::behavior::BehaviorTree>();
    tree->emplace<caribou::behavior::Idle>("rest");
    const caribou::behavior::Facts facts;
    caribou::behavior::BehaviorRunner runner(std::move(tree), facts);
    if (!runner.set_base("rest")) return 3;
    runner.tick(loop.clock().now());
    if (runner.tree().find("rest")->state() != caribou::behavior::Behavior::State::active) return 4;

    caribou::EventLoop real;
    return real.clock().now() == caribou::Instant() ? 5 : 0;
}
