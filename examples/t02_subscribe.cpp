// t02: subscribe. Run t01 once, then `t02_subscribe 127.0.0.1:9000`: it receives what t01 wrote, because a
// new subscriber first receives the latest value, then every new one.

#include <cstdio>

#include "kit/bus/threaded_client.hpp"
#include "platform/console_log.hpp"

int main(int argc, char** argv) {
    using namespace caribou;
    const auto broker = Address::parse(argc > 1 ? argv[1] : "127.0.0.1:9000");
    if (!broker) return std::fprintf(stderr, "%s\n", broker.error().message.c_str()), 2;

    ConsoleLog log;
    const auto client = ThreadedClient::start({.client = {.name = "t02_subscribe", .broker = *broker}}, log);
    if (!client) return std::fprintf(stderr, "%s\n", client.error().message.c_str()), 1;

    // There is no need to wait for the connection: registrations are repeated on each one. The second
    // registration requests at most two values per second.
    const auto all = (*client)->register_variable("GREETING");
    const auto some = (*client)->register_variable("SPEED", std::chrono::milliseconds(500));
    if (!all || !some) return std::fprintf(stderr, "could not register\n"), 1;

    // Mail is queued until it is fetched, oldest first. A program that runs for ever would loop here; this
    // one ends when it has received both.
    for (int seen = 0; seen < 2;) {
        if (!(*client)->wait_for_mail(std::chrono::seconds(10)))
            return std::fprintf(stderr, "nothing came; did you run t01_publish?\n"), 1;
        for (const auto& mail : (*client)->fetch()) {
            ++seen;
            if (mail.is_number())
                std::printf("%s = %g, written by %s\n", mail.key.c_str(), mail.value, mail.source.c_str());
            else
                std::printf("%s = `%s`, %s\n", mail.key.c_str(), mail.payload.c_str(), mail.aux.c_str());
        }
    }
    return 0;
}
