// From an order to the state that acknowledges it, through a driver process, compared with a ping of the same
// sizes over the same kind of socket.

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "adapters/body/driver_line.hpp"
#include "adapters/body/guarded_body.hpp"
#include "base/check.hpp"
#include "driver/body_driver.hpp"
#include "driver/session.hpp"
#include "give_up.hpp"
#include "motion/null_body.hpp"
#include "platform/console_log.hpp"
#include "platform/system_clock.hpp"
#include "report.hpp"

namespace caribou::bench {
namespace {

/// Fewer than the states per second that a robot accepts of a driver.
constexpr std::size_t rounds = 1'500;
constexpr double most_ratio = 1.5;
constexpr std::size_t batch = 50;  ///< rounds of one kind in a row, so that both see the same machine

/// The driver: carries out orders on a body without motors. A first byte of 'p' makes it an echo instead.
int run_driver() {
    const Descriptor socket = inherited_driver_socket().value();
    std::array<std::byte, 4096> buffer;
    const SystemClock clock;
    const auto send = [&](ByteView bytes) { ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL); };
    motion::NullBody body;
    driver::BodyDriver driver(body, {.name = "bench", .period = std::chrono::milliseconds(100)}, send);
    driver.greet(clock.now());
    const Bytes answer = driver::frame_of(driver::State{});
    for (;;) {
        const ssize_t size = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
        if (size <= 0) return 0;
        const ByteView bytes = std::span(buffer).first(static_cast<std::size_t>(size));
        if (bytes.front() == std::byte{'p'})
            send(answer);
        else
            check(driver.on_bytes(bytes, clock.now()).has_value(), "the robot sends good frames");
    }
}

class Measurement {
public:
    explicit Measurement(driver::DriverLine& line) : line_(line), session_(line, clock_.now()) {
        while (!session_.hello() || !session_.state()) session_.poll(clock_.now());
    }
    Duration order() {
        const Instant begun = clock_.now();
        session_.order({.right = 0.1, .left = 0.1}, true, begun);
        while (session_.state()->seq != session_.last_order()) {
            session_.poll(clock_.now());
            check(session_.fault().empty(), session_.fault());
        }
        return clock_.now() - begun;
    }
    Duration ping() {
        static const Bytes request(driver::frame_of(driver::Order{}).size(), std::byte{'p'});
        static const std::size_t expected = driver::frame_of(driver::State{}).size();
        std::array<std::byte, 4096> buffer;
        const Instant begun = clock_.now();
        check(line_.write(request).value() == request.size(), "a ping fits");
        for (std::size_t size = 0; size < expected;) size += line_.read(buffer).value();
        return clock_.now() - begun;
    }

private:
    SystemClock clock_;
    driver::DriverLine& line_;
    driver::DriverSession session_;
};

double median_us(std::vector<Duration> times) {
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return to_seconds(times[times.size() / 2]) * 1e6;
}

int run() {
    ConsoleLog log(Level::warning);
    const auto process = GuardedBody::open({.driver = {"/proc/self/exe", "driver"}}, log).value();
    const auto line = driver_line(process->restore().value());
    Measurement measurement(*line);
    std::vector<Duration> orders;
    std::vector<Duration> pings;
    while (orders.size() < rounds) {
        for (std::size_t i = 0; i < batch; ++i) pings.push_back(measurement.ping());
        for (std::size_t i = 0; i < batch; ++i) orders.push_back(measurement.order());
    }
    const Report report("driver");
    const double order = median_us(orders);
    const double ping = median_us(pings);
    report.add({"driver_ratio", order, "us", ping});
    if (order > most_ratio * ping)
        give_up(fmt::format("driver_ratio: expected at most {}, found {:.2f}", most_ratio, order / ping));
    return 0;
}

}  // namespace
}  // namespace caribou::bench

int main(int count, char** words) {
    return count > 1 && std::string(words[1]) == "driver" ? caribou::bench::run_driver()
                                                          : caribou::bench::run();
}
