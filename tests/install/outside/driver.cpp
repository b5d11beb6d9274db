// A driver of a stranger: it is not started by a robot here.
#include <caribou/kit/driver/driver_loop.hpp>

#include <cstdio>

int main() {
    const auto loop = caribou::DriverLoop::open();
    if (loop) return std::puts("there is no robot"), 1;
    std::puts(loop.error().message.c_str());
    return 0;
}
