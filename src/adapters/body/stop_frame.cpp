#include "adapters/body/stop_frame.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>

#include "platform/descriptor.hpp"
#include "platform/system_error.hpp"

namespace caribou {

Result<void> write_stop_frame(int device, const Bytes& frame) {
    ::tcflush(device, TCOFLUSH);  // fails for other devices than terminals
    for (int i = 0; i < 2; ++i) {
        const ssize_t size = ::write(device, frame.data(), frame.size());
        if (size < 0) return fail(Code::unavailable, system_words(errno));
        if (size != static_cast<ssize_t>(frame.size())) return fail(Code::unavailable, "it is full");
    }
    return {};
}

Result<void> write_stop_frame(const std::string& device, const Bytes& frame) {
    const Descriptor opened(::open(device.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (!opened) return fail(system_error(device, errno));
    return write_stop_frame(opened.get(), frame);
}

}  // namespace caribou
