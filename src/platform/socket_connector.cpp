#include "platform/socket_connector.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <ranges>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {

SocketConnector::SocketConnector(EventLoopCore& core, Address to, Done done)
    : WatchedSocket(core.io()),
      core_(core),
      to_(std::move(to)),
      done_(std::move(done)),
      resolver_(core.io()) {}

void SocketConnector::start(Duration limit) {
    const boost::intrusive_ptr self(this);
    // The timer is destroyed with the connector, so it need not keep it alive except while it runs.
    deadline_ = core_.make_timer([this, limit] {
        const boost::intrusive_ptr stay(this);
        end(fail(failure(Code::timed_out, fmt::format("no answer within {} s", to_seconds(limit)))));
    });
    deadline_->arm(core_.clock().now() + limit);

    if (to_.kind == Address::Kind::unix_socket) {
        auto target = unix_address(to_);
        if (!target) return end_soon(std::move(target.error()));
        targets_ = {*target};
    } else if (const auto target = numeric_address(to_)) {
        targets_ = {*target};
    } else {
        return resolve();
    }
    try_targets(0);
}

void SocketConnector::resolve() {
    using Found = boost::asio::ip::tcp::resolver::results_type;
    resolver_.async_resolve(
        to_.host, std::to_string(to_.port), boost::asio::ip::resolver_base::numeric_service,
        [self = boost::intrusive_ptr(this)](const boost::system::error_code& failed, const Found& found) {
            if (self->closed()) return;
            if (failed || found.empty())
                return self->end(fail(
                    self->failure(Code::not_found, "the host's name is not known; write it as a number?")));
            for (const auto& entry : found) {
                const auto endpoint = entry.endpoint();
                SocketAddress& target = self->targets_.emplace_back();
                target.size = static_cast<socklen_t>(endpoint.size());
                std::memcpy(&target.storage, endpoint.data(), endpoint.size());
            }
            std::ranges::reverse(self->targets_);
            self->try_targets(0);
        });
}

void SocketConnector::try_targets(int last_error) {
    while (!targets_.empty()) {
        const SocketAddress target = targets_.back();
        targets_.pop_back();
        last_error = attempt(target);
        if (last_error == 0) return;
    }
    const std::string advice =
        last_error == ECONNREFUSED || last_error == ENOENT ? "; is anyone listening there?" : "";
    const Code code = last_error == ENOENT ? Code::unreachable : system_code(last_error);
    end_soon(failure(code, system_words(last_error) + advice));
}

int SocketConnector::attempt(const SocketAddress& target) {
    const int descriptor = ::socket(target.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return errno;
    if (target.family() != AF_UNIX) {
        const int on = 1;
        ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    int outcome = ::connect(descriptor, target.raw(), target.size) == 0 ? 0 : errno;
    if (outcome == EINPROGRESS || outcome == EINTR) outcome = 0;
    if (const int failed = open(descriptor); failed != 0) return failed;
    if (outcome == 0)
        wait_to_write();
    else
        close_descriptor();
    return outcome;
}

void SocketConnector::on_ready_to_write() {
    int failed = 0;
    socklen_t size = sizeof failed;
    if (::getsockopt(descriptor(), SOL_SOCKET, SO_ERROR, &failed, &size) != 0) failed = errno;
    if (failed == 0) return end(release());
    close_descriptor();
    try_targets(failed);
}

void SocketConnector::end(Result<int> outcome) {
    deadline_.reset();
    resolver_.cancel();
    close();
    done_(std::move(outcome));
}

// Ends asynchronously, never within the call that started it.
void SocketConnector::end_soon(Error why) {
    core_.post([self = boost::intrusive_ptr(this), why = std::move(why)]() mutable {
        if (!self->closed()) self->end(fail(std::move(why)));
    });
}

Error SocketConnector::failure(Code code, const std::string& reason) const {
    return {code, fmt::format("cannot connect to {}: {}", to_string(to_), reason)};
}

}  // namespace caribou
