#include "kit/driver/driver_loop.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "driver/body_driver.hpp"
#include "platform/inherited_descriptor.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_clock.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

constexpr const char* socket_variable = "CARIBOU_DRIVER_FD";

std::uint8_t driver_level(Level level) {
    switch (level) {
        case Level::debug: return driver::LogLine::DEBUG;
        case Level::info: return driver::LogLine::INFO;
        case Level::warning: return driver::LogLine::WARNING;
        case Level::error: return driver::LogLine::ERROR;
    }
    return driver::LogLine::INFO;
}

}  // namespace

class DriverLoop::Core final : public Log {
public:
    explicit Core(Descriptor robot) : robot_(std::move(robot)) {
        sigset_t ends;
        ::sigemptyset(&ends);
        for (const int number : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&ends, number);
        ::sigprocmask(SIG_BLOCK, &ends, nullptr);
        signals_ = Descriptor(::signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK));
    }

    void write(Level level, std::string_view text) override {
        send(driver::frame_of(driver::LogLine{driver_level(level), std::string(text.substr(0, 500))}));
    }

    /// Waits for one turn. Returns whether the driver goes on.
    Result<bool> wait() {
        std::vector<pollfd> looks = {{robot_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
        for (const auto& [descriptor, handler] : watched_) looks.push_back({descriptor, POLLIN, 0});
        const auto milliseconds = static_cast<int>(turn / std::chrono::milliseconds(1));
        if (::poll(looks.data(), looks.size(), milliseconds) < 0 && errno != EINTR)
            return fail(system_error("poll", errno));
        if (looks[1].revents != 0) return false;
        for (std::size_t i = 2; i < looks.size(); ++i)
            if (const auto handler = watched_.find(looks[i].fd);
                looks[i].revents != 0 && handler != watched_.end())
                // A copy: it may unwatch itself.
                if (auto handled = OnReadable(handler->second)(); !handled) return fail(handled.error());
        return looks[0].revents == 0 || read_robot();
    }

    /// Returns whether the driver goes on.
    bool read_robot() {
        std::array<std::byte, 16_KiB> buffer;
        const ssize_t size = ::recv(robot_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (size < 0) return errno == EAGAIN || errno == EINTR;
        append(received_, std::span(buffer).first(static_cast<std::size_t>(size)));
        return size > 0;
    }

    Result<void> serve(driver::BodyDriver& driver, const OnTurn& on_turn) {
        driver.greet(clock_.now());
        for (;;) {
            const auto goes_on = wait();
            if (!goes_on) return fail(goes_on.error());
            if (on_turn)
                if (auto turned = on_turn(); !turned) return turned;
            const Bytes received = std::exchange(received_, {});
            if (auto carried_out = driver.on_bytes(received, clock_.now()); !carried_out) return carried_out;
            if (!*goes_on || driver.finished()) return {};
            driver.tick(clock_.now());
            if (is_lost_) return {};
        }
    }

    void send(ByteView bytes) {
        if (is_lost_) return;
        const ssize_t size = ::send(robot_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        // A robot that leaves no room does not read.
        is_lost_ = size != static_cast<ssize_t>(bytes.size());
    }

    Descriptor robot_;
    Descriptor signals_;
    SystemClock clock_;
    std::map<int, OnReadable> watched_;
    Bytes received_;
    bool is_lost_ = false;
};

DriverLoop::DriverLoop(std::unique_ptr<Core> core) : core_(std::move(core)) {}
DriverLoop::~DriverLoop() = default;

Result<std::unique_ptr<DriverLoop>> DriverLoop::open() {
    Descriptor robot = inherited_descriptor(socket_variable);
    if (!robot)
        return fail(
            Code::wrong_state,
            fmt::format("a driver is started by `caribou robot` or `caribou body check`, which set {}",
                        socket_variable));
    std::ignore = prefer_real_time(driver_priority);
    return std::unique_ptr<DriverLoop>(new DriverLoop(std::make_unique<Core>(std::move(robot))));
}

const Clock& DriverLoop::clock() const { return core_->clock_; }
Log& DriverLoop::log() { return *core_; }

void DriverLoop::watch(int descriptor, OnReadable on_readable) {
    core_->watched_[descriptor] = std::move(on_readable);
}
void DriverLoop::unwatch(int descriptor) { core_->watched_.erase(descriptor); }

Result<bool> DriverLoop::prepare(const std::function<Result<bool>()>& is_ready) {
    for (;;) {
        const auto ready = is_ready();
        if (!ready) return fail(ready.error());
        if (*ready) return true;
        const auto goes_on = core_->wait();
        if (!goes_on) return fail(goes_on.error());
        if (!*goes_on) return false;
    }
}

Result<void> DriverLoop::run(motion::Body& body, driver::BodyDriverSettings settings, const OnTurn& on_turn) {
    driver::BodyDriver driver(body, std::move(settings), [this](ByteView bytes) { core_->send(bytes); });
    auto served = core_->serve(driver, on_turn);
    driver.stop("the end");
    if (!served) report(served.error());
    return served;
}

void DriverLoop::report(const Error& error) { core_->error(error.message); }

void DriverLoop::close() { core_->robot_ = Descriptor(); }

}  // namespace caribou
