// t01: publish. Run a broker (`caribou db`), then `t01_publish 127.0.0.1:9000`.
//
// A variable on the bus has a name and a latest value, which is a number, a text or bytes. The first write
// determines its type. The broker stores the latest value, even if there is no subscriber.

#include <cstdio>

#include "kit/bus/threaded_client.hpp"
#include "platform/console_log.hpp"

int main(int argc, char** argv) {
    using namespace caribou;
    const auto broker = Address::parse(argc > 1 ? argv[1] : "127.0.0.1:9000");
    if (!broker) return std::fprintf(stderr, "%s\n", broker.error().message.c_str()), 2;

    // A client has a unique name and its own thread, which connects in the background and reconnects whenever
    // the connection is lost.
    ConsoleLog log;
    const auto client = ThreadedClient::start({.client = {.name = "t01_publish", .broker = *broker}}, log);
    if (!client) return std::fprintf(stderr, "%s\n", client.error().message.c_str()), 1;
    if (!(*client)->wait_until_connected(std::chrono::seconds(10)))
        return std::fprintf(stderr, "no broker at %s\n", to_string(*broker).c_str()), 1;

    // Every call returns whether it was accepted. By default it blocks while the outbox is full.
    const auto speed = (*client)->notify("SPEED", 1.5);
    const auto greeting = (*client)->notify("GREETING", "hello, bus", {.aux = "from the first tutorial"});
    if (!speed || !greeting) return std::fprintf(stderr, "could not publish\n"), 1;

    // The destructor sends the pending messages.
    std::puts("published SPEED and GREETING");
    return 0;
}
