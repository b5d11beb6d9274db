#include "adapters/body/driver_line.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "driver/frame.hpp"
#include "platform/inherited_descriptor.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

class SocketLine final : public driver::DriverLine {
public:
    explicit SocketLine(Descriptor socket) : socket_(std::move(socket)) {}

    Result<std::size_t> read(std::span<std::byte> into) override {
        const ssize_t size = ::recv(socket_.get(), into.data(), into.size(), MSG_DONTWAIT);
        if (size > 0) return static_cast<std::size_t>(size);
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        if (size == 0 || errno == ECONNRESET) return fail(Code::closed, "the driver closed the connection");
        return fail(system_error("the driver's socket", errno));
    }
    Result<std::size_t> write(ByteView bytes) override {
        const ssize_t size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size >= 0) return static_cast<std::size_t>(size);
        if (errno == EAGAIN || errno == EINTR) return 0;
        return fail(system_error("the driver's socket", errno));
    }
    void end() override { ::shutdown(socket_.get(), SHUT_WR); }
    bool has_ended(Duration limit) override {
        pollfd look{socket_.get(), POLLRDHUP, 0};
        const auto milliseconds = static_cast<int>(limit / std::chrono::milliseconds(1));
        return ::poll(&look, 1, milliseconds) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
    }

private:
    Descriptor socket_;
};

Result<Descriptor> connected(const std::string& path) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    if (path.size() >= sizeof address.sun_path)
        return fail(Code::invalid_argument, fmt::format("{}: a socket's path has at most {} bytes", path,
                                                        sizeof address.sun_path - 1));
    std::memcpy(address.sun_path, path.data(), path.size());
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return fail(system_error(fmt::format("{}: is `caribou world serve` running?", path), errno));
    return socket;
}

/// Sends everything at once: a peer that leaves no room does not read.
Result<void> send_all(int to, ByteView bytes, std::string_view whom) {
    const ssize_t size = ::send(to, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size == static_cast<ssize_t>(bytes.size())) return {};
    if (size < 0 && (errno == EPIPE || errno == ECONNRESET))
        return fail(Code::closed, fmt::format("{} closed the connection", whom));
    if (size < 0 && errno != EAGAIN) return fail(system_error(std::string(whom), errno));
    return fail(Code::limit_exceeded, fmt::format("{} does not read", whom));
}

/// Passes on what can be read. Returns false at the end of the stream.
Result<bool> pass_on(int from, int to, std::string_view whom) {
    std::array<std::byte, 32_KiB> buffer;
    const ssize_t size = ::recv(from, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size == 0 || (size < 0 && errno == ECONNRESET)) return false;
    if (size < 0)
        return errno == EAGAIN || errno == EINTR ? Result<bool>(true) : fail(system_error("read", errno));
    if (auto sent = send_all(to, std::span(buffer).first(static_cast<std::size_t>(size)), whom); !sent)
        return fail(std::move(sent.error()));
    return true;
}

/// A robot that ends sends its goodbye first, which the world answers by closing.
bool has_closed(int socket) {
    constexpr int farewell_ms = 100;
    pollfd look{socket, POLLRDHUP, 0};
    return ::poll(&look, 1, farewell_ms) > 0;
}

}  // namespace

std::unique_ptr<driver::DriverLine> driver_line(Descriptor socket) {
    return std::make_unique<SocketLine>(std::move(socket));
}

Result<std::pair<Descriptor, Descriptor>> driver_sockets() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(system_error("the sockets of a driver", errno));
    return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

Result<Descriptor> inherited_driver_socket() {
    Descriptor socket = inherited_descriptor(driver_variable);
    if (socket) return socket;
    return fail(Code::wrong_state,
                fmt::format("a driver is started by `caribou robot` or `caribou body check`, which set {}",
                            driver_variable));
}

Result<void> relay_to_world(Descriptor robot, const std::string& path, const std::string& name) {
    auto world = connected(path);
    if (!world) return fail(std::move(world.error()));
    if (auto sent = send_all(world->get(), driver::frame_of(driver::Attach{name}), "the world"); !sent)
        return sent;
    pollfd looks[2] = {{robot.get(), POLLIN, 0}, {world->get(), POLLIN, 0}};
    for (;;) {
        if (::poll(looks, 2, -1) < 0 && errno != EINTR) return fail(system_error("poll", errno));
        if (looks[0].revents != 0) {
            const auto more = pass_on(robot.get(), world->get(), "the world");
            if (!more) return fail(more.error());
            // The world orders zero and closes its end, which the robot then reads.
            if (!*more) {
                ::shutdown(world->get(), SHUT_WR);
                looks[0].fd = -1;
            }
        }
        if (looks[1].revents != 0) {
            const auto more = pass_on(world->get(), robot.get(), "the robot");
            if (!more && more.error().code != Code::closed) return fail(more.error());
            // The robot may have closed its end completely, without reading what was on its way.
            if (!more || (!*more && has_closed(robot.get()))) return {};
            if (!*more) return fail(Code::closed, "the world closed the connection");
        }
    }
}

}  // namespace caribou
