#include "adapters/systemd/supervisor_notice.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <tuple>

#include <fmt/format.h>

#include "platform/descriptor.hpp"

namespace caribou {
namespace {

constexpr int keep_environment = 0;

/// Returns false if the supervisor has not received what was sent before, and sending would wait for it.
/// sd_notify() waits.
bool send(const std::string& lines) {
    const char* const name = std::getenv("NOTIFY_SOCKET");
    const std::string_view path = name != nullptr ? name : "";
    sockaddr_un address{};
    if (path.empty() || path.size() >= sizeof address.sun_path) return true;
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    if (path.front() == '@') address.sun_path[0] = '\0';  // an abstract one
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const ssize_t sent = ::sendto(socket.get(), lines.data(), lines.size(), MSG_NOSIGNAL,
                                  reinterpret_cast<const sockaddr*>(&address), size);
    return sent >= 0 || (errno != EAGAIN && errno != ENOBUFS);
}

}  // namespace

void SupervisorNotice::tell(const std::string& lines) {
    const std::lock_guard lock(mutex_);
    const std::string all = unsent_.empty() ? lines : unsent_ + "\n" + lines;
    unsent_ = send(all) ? "" : all;
}

void SupervisorNotice::ready(std::string_view status) { tell(fmt::format("READY=1\nSTATUS={}", status)); }
void SupervisorNotice::status(std::string_view status) { tell(fmt::format("STATUS={}", status)); }
void SupervisorNotice::alive() {
    const std::lock_guard lock(mutex_);
    // A missed sign of life is not repeated.
    if (unsent_.empty() || send(unsent_)) unsent_.clear();
    std::ignore = send("WATCHDOG=1");
}
void SupervisorNotice::stopping(std::string_view status) {
    tell(fmt::format("STOPPING=1\nSTATUS={}", status));
}

std::optional<Duration> SupervisorNotice::watchdog() const {
    std::uint64_t microseconds = 0;
    if (::sd_watchdog_enabled(keep_environment, &microseconds) <= 0) return std::nullopt;
    return std::chrono::microseconds(microseconds);
}

}  // namespace caribou
