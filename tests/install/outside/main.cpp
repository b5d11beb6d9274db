// Uses the installed package in both spellings, and runs something from it.
#include <caribou/base/result.hpp>
#include <caribou/loop/virtual_loop.hpp>

#include "loop/address.hpp"

using namespace std::chrono_literals;

int main() {
    caribou::VirtualLoop loop;
    int rings = 0;
    const auto timer = loop.make_timer([&] { ++rings; });
    timer->arm(loop.clock().now() + 3s);
    loop.advance(2s);
    const bool rang_early = rings != 0;
    loop.advance(2s);

    const auto address = caribou::Address::parse("127.0.0.1:9000");
    return !rang_early && rings == 1 && address && address->port == 9000 ? 0 : 1;
}
