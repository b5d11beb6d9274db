// t03: queues and wildcards, and a client without a thread: `t03_queues_and_wildcards 127.0.0.1:9000`.
//
// bus::Client runs on a loop, with the rest of the program: no locks, and the same code runs on a virtual
// clock in tests. Here the loop is a real one.

#include <cstdio>

#include "bus/client.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

int main(int argc, char** argv) {
    using namespace caribou;
    const auto broker = Address::parse(argc > 1 ? argv[1] : "127.0.0.1:9000");
    if (!broker) return std::fprintf(stderr, "%s\n", broker.error().message.c_str()), 2;

    ConsoleLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    bus::Client client(loop, network, {.name = "t03_queues", .broker = *broker});

    // All variables whose name starts with T03_, from any writer.
    const auto registered = client.register_wildcard("T03_*", "*");

    // A variable's mail can go to a handler, which is called as it arrives, or to queues, each of which
    // receives everything; the rest is returned by fetch().
    client.on_mail("T03_HEADING", [](const auto& mail) { std::printf("heading %g\n", mail.value); });
    bus::MailQueue& for_control = client.queue("T03_DEPTH", "control");
    bus::MailQueue& for_display = client.queue("T03_DEPTH", "display");

    client.on_connected([&client] {
        for (const double depth : {1.0, 2.0, 3.0}) static_cast<void>(client.notify("T03_DEPTH", depth));
        static_cast<void>(client.notify("T03_HEADING", 90.0));
        static_cast<void>(client.notify("T03_DONE", "yes"));
    });
    const auto started = client.start();
    if (!registered || !started) return std::fprintf(stderr, "could not start\n"), 1;

    // Runs until all mail has arrived: our own messages are delivered to us, because we have registered for
    // them.
    if (!loop.run_until([&] { return !client.general_queue().empty(); }, std::chrono::seconds(10)))
        return std::fprintf(stderr, "no mail; is there a broker at %s?\n", to_string(*broker).c_str()), 1;
    while (const auto mail = for_control.pop()) std::printf("control: depth %g\n", mail->value);
    std::printf("display: %zu depths wait\n", for_display.size());
    for (const auto& mail : client.fetch()) std::printf("other: %s\n", mail.key.c_str());
    return 0;
}
