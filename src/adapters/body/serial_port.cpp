#include "adapters/body/serial_port.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <termios.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include <fmt/format.h>

#include "base/check.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

struct Speed {
    int baud;
    speed_t code;
};
constexpr std::array speeds = {Speed{9600, B9600},     Speed{19200, B19200},   Speed{38400, B38400},
                               Speed{57600, B57600},   Speed{115200, B115200}, Speed{230400, B230400},
                               Speed{460800, B460800}, Speed{921600, B921600}};

constexpr int look_again_ms = 1000;

enum class News : std::uint8_t { nothing, bytes, end };

/// Without a port (-1), waits for the timeout or until the thread must end.
News wait_for_news(int port, int wake, int timeout_ms) {
    std::array<pollfd, 2> watched = {pollfd{wake, POLLIN, 0}, pollfd{port, POLLIN, 0}};
    ::poll(watched.data(), watched.size(), timeout_ms);
    if (watched[0].revents != 0) return News::end;
    return watched[1].revents != 0 ? News::bytes : News::nothing;
}

}  // namespace

Result<std::unique_ptr<SerialPort>> SerialPort::open(const std::string& path, int baud, OnBytes on_bytes,
                                                     Log& log) {
    for (const Speed& speed : speeds)
        if (speed.baud == baud)
            return std::unique_ptr<SerialPort>(new SerialPort(path, speed.code, std::move(on_bytes), log));
    return fail(Code::invalid_argument, fmt::format("no serial port runs at {} baud; 115200 is usual", baud));
}

SerialPort::SerialPort(std::string path, unsigned speed, OnBytes on_bytes, Log& log)
    : path_(std::move(path)),
      speed_(speed),
      on_bytes_(std::move(on_bytes)),
      log_(log),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    check(static_cast<bool>(wake_), "the machine has a descriptor left");
    thread_ = std::thread([this] { run(); });
    pthread_setname_np(thread_.native_handle(), "sensors");
}

SerialPort::~SerialPort() {
    const std::uint64_t one = 1;
    check(::write(wake_.get(), &one, sizeof one) == sizeof one, "an eventfd takes a one");
    thread_.join();
}

Result<void> SerialPort::write(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    if (!port_) return fail(Code::unavailable, fmt::format("{} is not there", path_));
    if (::write(port_.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        return fail(system_error(path_, errno));
    return {};
}

void SerialPort::run() {
    bool complained = false;
    do {
        if (open_port()) {
            complained = false;
            log_.info(fmt::format("{} is there", path_));
            read_until_lost();
        } else if (!std::exchange(complained, true)) {
            log_.warning(fmt::format("{}: {}; looking for it every second", path_, system_words(errno)));
        }
    } while (wait_for_news(-1, wake_.get(), look_again_ms) != News::end);
}

bool SerialPort::open_port() {
    Descriptor opened(::open(path_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    termios settings{};
    if (!opened || ::tcgetattr(opened.get(), &settings) != 0) return false;
    ::cfmakeraw(&settings);
    ::cfsetspeed(&settings, speed_);
    if (::tcsetattr(opened.get(), TCSANOW, &settings) != 0) return false;
    const std::lock_guard lock(mutex_);
    port_ = std::move(opened);
    return true;
}

void SerialPort::read_until_lost() {
    std::array<char, 512> buffer{};
    while (wait_for_news(port_.get(), wake_.get(), -1) != News::end) {
        const ssize_t size = ::read(port_.get(), buffer.data(), buffer.size());
        if (size > 0) {
            on_bytes_({buffer.data(), static_cast<std::size_t>(size)});
        } else if (size == 0 || errno != EAGAIN) {
            log_.warning(fmt::format("{} is gone", path_));
            break;
        }
    }
    const std::lock_guard lock(mutex_);
    port_ = Descriptor();
}

}  // namespace caribou
