#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "attacker/attacks.hpp"
#include "attacker/dial.hpp"

namespace caribou::tests {
namespace {

void send_now(int socket, const std::string& bytes) {
    static_cast<void>(::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT));
}

/// Opens connections on which `words` are sent, as fast as possible; the latest `count` remain open.
[[noreturn]] void open_for_ever(const std::string& at, std::size_t count, const std::string& words) {
    std::vector<int> ring(count, -1);
    for (std::size_t i = 0;; i = (i + 1) % count) {
        const int socket = dial(at);
        if (socket >= 0) send_now(socket, words);
        if (ring[i] >= 0) ::close(ring[i]);
        ring[i] = socket;
    }
}

/// A text message of a WebSocket client, with a mask of zeros.
std::string frame(const std::string& text) {
    std::string bytes = "\x81";
    if (text.size() < 126) {
        bytes += static_cast<char>(0x80 | text.size());
    } else {
        bytes += static_cast<char>(0x80 | 126);
        bytes += static_cast<char>(text.size() >> 8U);
        bytes += static_cast<char>(text.size() & 0xffU);
    }
    return bytes + std::string(4, '\0') + text;
}

/// A WebSocket that replays a recording.
class Replay {
public:
    explicit Replay(std::string at) : at_(std::move(at)) {}

    /// Reads everything, reopens a closed connection, and seeks.
    void turn() {
        if (socket_ < 0) return open();
        std::array<char, 65536> scratch;
        ssize_t size = 0;
        while ((size = ::recv(socket_, scratch.data(), scratch.size(), MSG_DONTWAIT)) > 0) {
            if (!is_open_) send_now(socket_, beginning());
            is_open_ = true;
        }
        if (size == 0) {
            ::close(socket_);
            socket_ = -1;
        } else if (is_open_) {
            const unsigned to = replayed_from + next_id_ * 7 % replayed_seconds;
            send_now(socket_,
                     replay(fmt::format(R"("action":"seek","to":{})", to)) + replay(R"("action":"play")"));
        }
    }

private:
    void open() {
        socket_ = dial(at_);
        is_open_ = false;
        if (socket_ >= 0)
            send_now(socket_,
                     "GET /api/v1/stream?name=replay HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                     "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    }
    std::string replay(const std::string& fields) {
        return frame(fmt::format(R"({{"type":"replay","id":{},{}}})", next_id_++, fields));
    }
    std::string beginning() {
        return replay(fmt::format(R"("action":"open","name":"{}")", replayed_recording)) +
               frame(R"({"type":"watch","robots":["rover"],"views":["scan","map"],"rate":20})") +
               replay(R"("action":"speed","speed":1000)");
    }

    std::string at_;
    int socket_ = -1;
    bool is_open_ = false;
    unsigned next_id_ = 1;
};

}  // namespace

void storm_requests(const std::string& station) { open_for_ever(station, 200, "GET / HTTP/1.1\r\nX: "); }

void pipeline_requests(const std::string& station) {
    std::string words;
    for (int i = 0; i < 200; ++i) words += "GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n\r\n";
    open_for_ever(station, 100, words);
}

void hold_replays(const std::string& station, std::size_t count) {
    std::vector<Replay> replays(count, Replay(station));
    for (;;) {
        for (Replay& replay : replays) replay.turn();
        ::poll(nullptr, 0, 20);
    }
}

}  // namespace caribou::tests
