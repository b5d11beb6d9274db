#include "bus_minimal_broker.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "give_up.hpp"
#include "wire/codec.hpp"

namespace caribou::bench {
namespace {

using wire::MessageType;

/// Returns the string at `at`, and moves `at` behind it.
std::string_view take_string(ByteView message, std::size_t& at) {
    const auto size = load_le<std::uint32_t>(message.data() + at);
    const auto text = text_of(message.subspan(at + 4, size));
    at += 4 + size;
    return text;
}

std::string_view key_of(ByteView message) {
    std::size_t at = 10;
    for (int skipped = 0; skipped < 3; ++skipped) take_string(message, at);
    return take_string(message, at);
}

class MinimalBroker {
public:
    explicit MinimalBroker(const TcpListener& listener) : listener_(listener) {
        need(epoll_.number() >= 0, "make an epoll");
        watch(listener.descriptor(), nullptr, EPOLL_CTL_ADD, EPOLLIN);
    }

    void turn() {
        std::array<epoll_event, 64> events;
        const int count = ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < count; ++i) {
            const epoll_event& event = events.at(static_cast<std::size_t>(i));
            auto* const peer = static_cast<Peer*>(event.data.ptr);
            if (peer == nullptr) {
                accept();
                continue;
            }
            if ((event.events & EPOLLIN) != 0) read(*peer);
            if ((event.events & EPOLLOUT) != 0) list(*peer);
        }
        for (Peer* peer : std::exchange(listed_, {})) flush(*peer);
    }

private:
    /// Peers are never removed: the clients of a benchmark stay.
    struct Peer {
        Descriptor connection;
        bool greeted = false;
        Bytes in{};
        Bytes out{};
        std::size_t sent = 0;
        std::size_t header = 0;  ///< position of the header of the packet that is being filled
        std::size_t messages = 0;
        bool listed = false;
        bool waits_for_room = false;
    };
    struct Value {
        Bytes latest{};
        std::vector<Peer*> subscribers{};
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    void watch(int descriptor, Peer* peer, int operation, std::uint32_t events) const {
        epoll_event event{.events = events, .data = {.ptr = peer}};
        need(::epoll_ctl(epoll_.number(), operation, descriptor, &event) == 0, "watch a socket");
    }

    void accept() {
        for (;;) {
            Descriptor connection = listener_.accept();
            if (connection.number() < 0) return;
            const auto& peer = peers_.emplace_back(std::make_unique<Peer>(std::move(connection)));
            watch(peer->connection.number(), peer.get(), EPOLL_CTL_ADD, EPOLLIN);
        }
    }

    void read(Peer& peer) {
        const ssize_t got = ::recv(peer.connection.number(), room_.data(), room_.size(), 0);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) return watch(peer.connection.number(), nullptr, EPOLL_CTL_DEL, 0);
        append(peer.in, ByteView(room_).first(static_cast<std::size_t>(got)));
        std::size_t used = 0;
        if (!peer.greeted && peer.in.size() >= wire::greeting_size) {
            peer.greeted = true;
            used = wire::greeting_size;
        }
        while (const std::size_t size = peer.greeted ? packet_size(ByteView(peer.in).subspan(used)) : 0) {
            packet(peer, ByteView(peer.in).subspan(used, size));
            used += size;
        }
        peer.in.erase(peer.in.begin(), peer.in.begin() + static_cast<std::ptrdiff_t>(used));
    }

    /// Returns the size of the first packet; 0 if it is not complete.
    static std::size_t packet_size(ByteView bytes) {
        if (bytes.size() < wire::packet_header_size) return 0;
        const std::size_t size = load_le<std::uint32_t>(bytes.data());
        return size <= bytes.size() ? size : 0;
    }

    void packet(Peer& from, ByteView bytes) {
        for (bytes = bytes.subspan(wire::packet_header_size); !bytes.empty();) {
            const std::size_t size = load_le<std::uint32_t>(bytes.data());
            message(from, bytes.first(size));
            bytes = bytes.subspan(size);
        }
    }

    void message(Peer& from, ByteView bytes) {
        switch (static_cast<MessageType>(bytes[8])) {
            case MessageType::notify: {
                Value& value = value_of(key_of(bytes));
                value.latest.assign(bytes.begin(), bytes.end());
                for (Peer* subscriber : value.subscribers) put(*subscriber, bytes);
                break;
            }
            case MessageType::register_: value_of(key_of(bytes)).subscribers.push_back(&from); break;
            case MessageType::timing: put(from, bytes); break;
            case MessageType::data: {
                Bytes welcome;
                wire::append_message(welcome, {.type = MessageType::welcome, .payload = wire::asynchronous});
                put(from, welcome);
                break;
            }
            default: break;
        }
    }

    Value& value_of(std::string_view key) {
        const auto found = values_.find(key);
        return found != values_.end() ? found->second : values_.try_emplace(std::string(key)).first->second;
    }

    void list(Peer& peer) {
        if (!std::exchange(peer.listed, true)) listed_.push_back(&peer);
    }

    void put(Peer& to, ByteView message) {
        if (to.messages == 0) {
            to.header = to.out.size();
            to.out.resize(to.out.size() + wire::packet_header_size);
            list(to);
        }
        append(to.out, message);
        to.messages += 1;
    }

    void flush(Peer& peer) {
        peer.listed = false;
        if (peer.messages > 0)
            wire::store_packet_header(peer.out.data() + peer.header,
                                      peer.out.size() - peer.header - wire::packet_header_size,
                                      std::exchange(peer.messages, 0));
        while (peer.sent < peer.out.size()) {
            const ssize_t sent = ::send(peer.connection.number(), peer.out.data() + peer.sent,
                                        peer.out.size() - peer.sent, MSG_NOSIGNAL);
            if (sent < 0) break;
            peer.sent += static_cast<std::size_t>(sent);
        }
        const bool full = peer.sent < peer.out.size();
        if (!full) {
            peer.out.clear();
            peer.sent = 0;
        }
        if (std::exchange(peer.waits_for_room, full) != full)
            watch(peer.connection.number(), &peer, EPOLL_CTL_MOD, full ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }

    const TcpListener& listener_;
    Descriptor epoll_{::epoll_create1(0)};
    std::vector<std::unique_ptr<Peer>> peers_;
    std::unordered_map<std::string, Value, Hash, std::equal_to<>> values_;
    std::vector<Peer*> listed_;
    Bytes room_ = Bytes(256_KiB);
};

}  // namespace

void run_minimal_broker(const TcpListener& listener) {
    MinimalBroker broker(listener);
    for (;;) broker.turn();
}

}  // namespace caribou::bench
