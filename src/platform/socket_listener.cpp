#include "platform/socket_listener.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "platform/listening_socket.hpp"
#include "platform/socket_address.hpp"
#include "platform/socket_stream.hpp"
#include "platform/system_error.hpp"
#include "platform/watched_socket.hpp"

namespace caribou {

namespace {

/// Limit per turn, so that many new connections do not starve the existing ones.
constexpr int max_accepts_per_turn = 64;
/// Pause when the machine cannot accept a further connection.
constexpr Duration rest_when_full = std::chrono::milliseconds(100);

std::string name_peer(int descriptor, const SocketAddress& peer, const Address& here) {
    if (peer.family() != AF_UNIX) return to_string(to_address(peer));
    ucred who{};
    socklen_t size = sizeof who;
    if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return to_string(here);
    return fmt::format("process {} at {}", who.pid, to_string(here));
}

/// Returns whether a failed accept affects a single connection only.
bool concerns_one(int failed) {
    switch (failed) {
        case EINTR:
        case ECONNABORTED:
        case EPROTO:
        case EPERM:
        case ENETDOWN:
        case ENETUNREACH:
        case EHOSTDOWN:
        case EHOSTUNREACH:
        case ENOPROTOOPT:
        case ENONET:
        case ETIMEDOUT: return true;
        default: return false;
    }
}

}  // namespace

/// Kept alive by a pending wait when the listener is destroyed.
class SocketListener::Acceptor final : public WatchedSocket {
public:
    Acceptor(EventLoopCore& core, Log& log, Address address, AcceptHandler on_accept)
        : WatchedSocket(core.io()),
          core_(core),
          log_(log),
          address_(std::move(address)),
          on_accept_(std::move(on_accept)),
          rested_(core.make_timer([this] { wait_to_read(); })) {}

    void end() {
        rested_.reset();
        close();
    }

private:
    void on_ready_to_read() override;
    /// Returns 0 or an errno value.
    int accept_one();
    void rest(int failed);

    EventLoopCore& core_;
    Log& log_;
    Address address_;
    AcceptHandler on_accept_;
    std::unique_ptr<Timer> rested_;
    bool full_ = false;
};

void SocketListener::Acceptor::on_ready_to_read() {
    for (int i = 0; i < max_accepts_per_turn; ++i) {
        const int failed = accept_one();
        if (closed()) return;
        if (failed == EAGAIN) break;
        if (failed != 0 && !concerns_one(failed)) return rest(failed);
    }
    wait_to_read();
}

int SocketListener::Acceptor::accept_one() {
    SocketAddress peer;
    const int descriptor =
        ::accept4(this->descriptor(), peer.raw(), &peer.size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return errno;
    auto stream = SocketStream::standing(core_, descriptor, name_peer(descriptor, peer, address_));
    if (!stream) return stream.error();
    if (full_) log_.info(fmt::format("{} accepts connections again", to_string(address_)));
    full_ = false;
    on_accept_(std::move(*stream));
    return 0;
}

void SocketListener::Acceptor::rest(int failed) {
    if (!full_)
        log_.error(fmt::format(
            "{} cannot accept another connection: {}; {}", to_string(address_), system_words(failed),
            failed == EMFILE ? "raise the limit on open files (ulimit -n)" : "trying again"));
    full_ = true;
    rested_->arm(core_.clock().now() + rest_when_full);
}

Result<std::unique_ptr<Listener>> SocketListener::open(EventLoopCore& core, Log& log, const Address& at,
                                                       const SocketNetwork::Options& options,
                                                       AcceptHandler on_accept) {
    auto descriptor = open_listening_socket(at);
    if (!descriptor) return fail(descriptor.error());
    if (options.streams_below_listeners > 0)
        descriptor = move_above(*descriptor, options.streams_below_listeners);
    // Inherited by accepted sockets. No effect on Unix sockets.
    if (const auto most = static_cast<unsigned>(options.max_unsent); most > 0)
        ::setsockopt(*descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof most);
    const bool is_unix = at.kind == Address::Kind::unix_socket;
    SocketFile file = is_unix ? SocketFile(at.host) : SocketFile();
    Address address = is_unix ? at : local_address(*descriptor);
    boost::intrusive_ptr acceptor(new Acceptor(core, log, address, std::move(on_accept)));
    if (const int failed = acceptor->open(*descriptor); failed != 0)
        return fail(system_error("cannot watch " + to_string(address), failed));
    acceptor->wait_to_read();
    return std::unique_ptr<Listener>(
        new SocketListener(std::move(acceptor), std::move(address), std::move(file)));
}

SocketListener::SocketListener(boost::intrusive_ptr<Acceptor> acceptor, Address address, SocketFile file)
    : acceptor_(std::move(acceptor)), address_(std::move(address)), file_(std::move(file)) {}

SocketListener::~SocketListener() { acceptor_->end(); }

void SocketListener::begin_close() {
    if (address_.kind == Address::Kind::ip) drop_new_connections(acceptor_->descriptor());
}

bool SocketListener::has_pending() const {
    pollfd waiting{acceptor_->descriptor(), POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 1;
}

}  // namespace caribou
