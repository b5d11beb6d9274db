#include "field/order_trace.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "base/check.hpp"

namespace caribou::tests {

OrderTrace::OrderTrace(std::string path) : path_(std::move(path)) {
    check(::mkfifo(path_.c_str(), 0600) == 0, "a named pipe can be made");
    // Opened for both directions, so that it exists before and after the robot.
    pipe_ = ::open(path_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    check(pipe_ >= 0, "a named pipe can be opened");
}

OrderTrace::~OrderTrace() { ::close(pipe_); }

void OrderTrace::take() {
    char room[4096];
    for (;;) {
        const ssize_t size = ::read(pipe_, room, sizeof room);
        if (size <= 0) break;
        text_.append(room, static_cast<std::size_t>(size));
    }
    for (std::size_t end = 0; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1)) {
        std::istringstream line(text_.substr(0, end));
        std::int64_t nanoseconds = 0;
        double right = 0;
        double left = 0;
        line >> nanoseconds >> right >> left;
        const double speed = std::max(std::abs(right), std::abs(left));
        latest_ = {Instant(std::chrono::nanoseconds(nanoseconds)), speed != 0, speed};
        orders_.push_back(latest_);
    }
}

}  // namespace caribou::tests
