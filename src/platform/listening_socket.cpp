#include "platform/listening_socket.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "platform/socket_address.hpp"
#include "platform/system_error.hpp"

namespace caribou {

namespace {

struct Attempt {
    int descriptor = -1;
    int failed = 0;  // errno
};

Attempt give_up(int descriptor) {
    const int failed = errno;
    if (descriptor >= 0) ::close(descriptor);
    return {-1, failed};
}

void switch_on(int descriptor, int level, int option) {
    const int on = 1;
    ::setsockopt(descriptor, level, option, &on, sizeof on);
}

/// Returns the group of an IPv4 multicast address, on the interface of the route to it.
std::optional<ip_mreqn> multicast_group(const SocketAddress& at) {
    if (at.family() != AF_INET) return std::nullopt;
    ip_mreqn group{};
    group.imr_multiaddr = reinterpret_cast<const sockaddr_in*>(&at.storage)->sin_addr;
    if (!IN_MULTICAST(ntohl(group.imr_multiaddr.s_addr))) return std::nullopt;
    return group;
}

Attempt bind_socket(const SocketAddress& at, int type) {
    const int descriptor = ::socket(at.family(), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return give_up(-1);
    if (at.family() == AF_UNIX) {
        ::fchmod(descriptor, S_IRUSR | S_IWUSR);  // permissions with which the file is created
    } else if (type == SOCK_STREAM) {
        switch_on(descriptor, SOL_SOCKET, SO_REUSEADDR);
        switch_on(descriptor, IPPROTO_TCP, TCP_NODELAY);  // inherited by accepted sockets
    }
    const auto group = multicast_group(at);
    if (group && type == SOCK_DGRAM) switch_on(descriptor, SOL_SOCKET, SO_REUSEADDR);
    if (::bind(descriptor, at.raw(), at.size) != 0) return give_up(descriptor);
    if (group && type == SOCK_DGRAM &&
        ::setsockopt(descriptor, IPPROTO_IP, IP_ADD_MEMBERSHIP, &*group, sizeof *group) != 0)
        return give_up(descriptor);
    if (type == SOCK_STREAM && ::listen(descriptor, SOMAXCONN) != 0) return give_up(descriptor);
    return {descriptor, 0};
}

/// Returns whether the path is a socket file on which no process listens any more.
bool is_stale(const SocketAddress& at, const std::string& path) {
    struct stat file{};
    if (::lstat(path.c_str(), &file) != 0 || !S_ISSOCK(file.st_mode)) return false;
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return false;
    const bool refused = ::connect(descriptor, at.raw(), at.size) != 0 && errno == ECONNREFUSED;
    ::close(descriptor);
    return refused;
}

std::string advice(int failed, const Address& at) {
    const bool is_unix = at.kind == Address::Kind::unix_socket;
    switch (failed) {
        case EADDRINUSE:
            return is_unix ? "; is it running already? choose another path"
                           : "; is it running already? choose another port";
        case EACCES:
            return is_unix ? "; choose a path in a directory of yours" : "; choose a port above 1023";
        case EADDRNOTAVAIL: return "; choose an address of this machine";
        case ENOENT: return "; make the directory first";
        default: return "";
    }
}

Error cannot(const std::string& act, const Address& at, int failed) {
    return {system_code(failed),
            fmt::format("cannot {} {}: {}{}", act, to_string(at), system_words(failed), advice(failed, at))};
}

Result<int> bind_first(const std::string& act, const Address& at, int type) {
    const auto all = resolve_now(at);
    if (!all)
        return fail(all.error().code,
                    fmt::format("cannot {} {}: {}", act, to_string(at), all.error().message));
    Attempt attempt{-1, EADDRNOTAVAIL};
    for (const SocketAddress& one : *all) {
        attempt = bind_socket(one, type);
        if (attempt.descriptor >= 0) return attempt.descriptor;
    }
    return fail(cannot(act, at, attempt.failed));
}

}  // namespace

Result<int> open_listening_socket(const Address& at) {
    if (at.kind == Address::Kind::ip) return bind_first("listen on", at, SOCK_STREAM);
    const auto path = unix_address(at);
    if (!path) return fail(path.error());
    Attempt attempt = bind_socket(*path, SOCK_STREAM);
    if (attempt.failed == EADDRINUSE && is_stale(*path, at.host) && ::unlink(at.host.c_str()) == 0)
        attempt = bind_socket(*path, SOCK_STREAM);
    if (attempt.descriptor < 0) return fail(cannot("listen on", at, attempt.failed));
    return attempt.descriptor;
}

int move_above(int descriptor, std::size_t others) {
    constexpr rlim_t kept_for_listeners = 16;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= kept_for_listeners) return descriptor;
    const auto least = std::min<rlim_t>(others, limit.rlim_cur - kept_for_listeners);
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, static_cast<int>(least));
    if (moved < 0) return descriptor;
    ::close(descriptor);
    return moved;
}

void drop_new_connections(int descriptor) {
    // The filter sees a packet from its TCP header on. SYN is the second bit of byte 13.
    constexpr std::uint32_t flags_at = 13;
    constexpr std::uint32_t syn = 0x02;
    std::array<sock_filter, 4> drop_syn{{
        {BPF_LD | BPF_B | BPF_ABS, 0, 0, flags_at},
        {BPF_JMP | BPF_JSET | BPF_K, 0, 1, syn},
        {BPF_RET | BPF_K, 0, 0, 0},
        {BPF_RET | BPF_K, 0, 0, 0xffff'ffff},
    }};
    const sock_fprog program{drop_syn.size(), drop_syn.data()};
    ::setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

Result<int> open_datagram_socket(const Address& at) {
    if (at.kind != Address::Kind::ip)
        return fail(Code::invalid_argument,
                    fmt::format("datagrams need an IP address, as in 127.0.0.1:9000, not {}", to_string(at)));
    return bind_first("receive datagrams on", at, SOCK_DGRAM);
}

SocketFile::SocketFile(std::string path) {
    struct stat file{};
    if (::lstat(path.c_str(), &file) != 0) return;
    path_ = std::move(path);
    device_ = file.st_dev;
    number_ = file.st_ino;
}

SocketFile::SocketFile(SocketFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), device_(other.device_), number_(other.number_) {}

SocketFile::~SocketFile() {
    struct stat file{};
    if (path_.empty() || ::lstat(path_.c_str(), &file) != 0) return;
    if (file.st_dev == device_ && file.st_ino == number_) ::unlink(path_.c_str());
}

}  // namespace caribou
