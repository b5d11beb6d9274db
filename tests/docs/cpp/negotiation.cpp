#include <chrono>
#include <cstdio>

#include <caribou/loop/virtual_loop.hpp>
#include "msg/std_msgs/string.hpp"

using namespace caribou;
using namespace std::chrono_literals;

#include "negotiation/in_process_transport.hpp"

using namespace caribou::negotiation;

#include <negotiation.1.inc>

void negotiate() {
#include <negotiation.2.inc>
}
