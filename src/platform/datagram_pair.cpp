#include "platform/datagram_pair.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "platform/system_error.hpp"

namespace caribou {
namespace {

union PassedDescriptor {
    cmsghdr header;
    std::array<char, CMSG_SPACE(sizeof(int))> room;
};

/// Takes the descriptors that came with a datagram: the first one is kept, others are closed.
Descriptor descriptor_in(msghdr& message) {
    Descriptor kept;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int number = -1;
        std::memcpy(&number, CMSG_DATA(header), sizeof number);
        Descriptor passed(number);
        if (!kept) kept = std::move(passed);
    }
    return kept;
}

}  // namespace

Result<std::array<DatagramEnd, 2>> DatagramEnd::make_pair() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
        return fail(system_error("cannot make a socket pair", errno));
    return std::array{DatagramEnd(Descriptor(ends[0])), DatagramEnd(Descriptor(ends[1]))};
}

Result<void> DatagramEnd::send(ByteView datagram, int passed) const {
    iovec bytes{const_cast<std::byte*>(datagram.data()), datagram.size()};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    PassedDescriptor control{};
    if (passed >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof passed);
        std::memcpy(CMSG_DATA(header), &passed, sizeof passed);
    }
    ssize_t sent = 0;
    do sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    if (sent >= 0) return {};
    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return fail(Code::unavailable, "the other end does not read its datagrams");
    return fail(Code::closed, system_words(errno));
}

Result<std::optional<DatagramEnd::Received>> DatagramEnd::receive() {
    iovec bytes{room_.data(), room_.size()};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    PassedDescriptor control{};
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    ssize_t size = 0;
    do size = ::recvmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::nullopt;
    if (size <= 0) return fail(Code::closed, size < 0 ? system_words(errno) : "the other end has closed");
    Received received{.datagram = ByteView(room_).first(static_cast<std::size_t>(size)),
                      .passed = descriptor_in(message)};
    if ((message.msg_flags & MSG_TRUNC) != 0) return fail(Code::malformed, "the datagram is too large");
    return received;
}

}  // namespace caribou
