#include <chrono>

#include <caribou/cubes/connection_subscriber.hpp>
#include <caribou/cubes/coordinator.hpp>
#include <caribou/cubes/subscription.hpp>

using namespace caribou;
using namespace caribou::cubes;
using namespace std::chrono_literals;

#include <cubes.1.inc>
