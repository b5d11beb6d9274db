#include "adapters/body/serial_device.hpp"

// Of the kernel, not <termios.h>: only these have baud rates without a name, such as 256,000.
#include <asm/termbits.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <tuple>
#include <utility>

#include "platform/system_error.hpp"

namespace caribou {
namespace {

/// 8 data bits, no parity, one stop bit, no flow control; bytes pass unchanged.
bool make_raw(int port, int baud) {
    termios2 settings{};
    if (::ioctl(port, TCGETS2, &settings) != 0) return false;
    settings.c_iflag = 0;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = CS8 | CREAD | CLOCAL | BOTHER;
    settings.c_ispeed = settings.c_ospeed = static_cast<speed_t>(baud);
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    return ::ioctl(port, TCSETS2, &settings) == 0;
}

}  // namespace

Result<void> SerialDevice::open(const std::string& path, int baud) {
    Descriptor opened(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (!opened) return fail(system_error(path, errno));
    if (auto adopted = adopt(std::move(opened), baud); !adopted)
        return fail(adopted.error().code, path + ": " + adopted.error().message);
    return {};
}

Result<void> SerialDevice::adopt(Descriptor port, int baud) {
    ::fcntl(port.get(), F_SETFL, ::fcntl(port.get(), F_GETFL) | O_NONBLOCK);
    if (!make_raw(port.get(), baud)) return fail(system_error("not a serial port", errno));
    port_ = std::move(port);
    return {};
}

Result<std::size_t> SerialDevice::read(std::span<std::byte> into) {
    const ssize_t size = ::read(port_.get(), into.data(), into.size());
    if (size > 0) return static_cast<std::size_t>(size);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    return fail(Code::closed, size < 0 ? system_words(errno) : "it was unplugged");
}

void SerialDevice::write(ByteView bytes) {
    if (port_) std::ignore = ::write(port_.get(), bytes.data(), bytes.size());
}

void SerialDevice::set_lines(bool dtr, bool rts) {
    if (!port_) return;
    for (const auto& [line, on] : {std::pair(TIOCM_DTR, dtr), std::pair(TIOCM_RTS, rts)}) {
        const int bits = line;
        ::ioctl(port_.get(), on ? TIOCMBIS : TIOCMBIC, &bits);
    }
}

void SerialDevice::set_baud(int baud) {
    if (port_) make_raw(port_.get(), baud);
}

void SerialDevice::discard_input() {
    if (port_) ::ioctl(port_.get(), TCFLSH, TCIFLUSH);
}

}  // namespace caribou
