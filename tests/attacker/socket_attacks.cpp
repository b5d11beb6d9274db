#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "attacker/attacks.hpp"
#include "attacker/dial.hpp"

namespace caribou::tests {
namespace {

/// Keeps `count` connections open on which `words` were sent; reopens each that is closed.
[[noreturn]] void hold(const std::string& at, std::size_t count, const std::string& words) {
    std::vector<pollfd> all(count, pollfd{-1, POLLIN, 0});
    for (;;) {
        for (pollfd& each : all) {
            if (each.fd >= 0) continue;
            each.fd = dial(at);
            if (each.fd >= 0) static_cast<void>(::send(each.fd, words.data(), words.size(), 0));
        }
        ::poll(all.data(), all.size(), 10);
        for (pollfd& each : all) {
            std::array<char, 65536> scratch;
            if (each.revents == 0 || ::recv(each.fd, scratch.data(), scratch.size(), MSG_DONTWAIT) > 0)
                continue;
            ::close(each.fd);
            each.fd = -1;
        }
    }
}

const std::string* claimed_id = nullptr;

unsigned wrong_key(SSL*, const char*, char* identity, unsigned room, unsigned char* key, unsigned key_room) {
    const std::size_t size = claimed_id->copy(identity, room - 1);
    identity[size] = '\0';
    const unsigned key_size = std::min(32U, key_room);
    std::fill_n(key, key_size, static_cast<unsigned char>(7));
    return key_size;
}

}  // namespace

void hold_requests(const std::string& station, std::size_t count) {
    hold(station, count, "GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\nX-Unfinished: ");
}

void hold_watchers(const std::string& station, std::size_t count) {
    hold(station, count,
         "GET /api/v1/stream?name=idle HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
         "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
}

void fail_handshakes(const std::string& robot, const std::string& key_id) {
    claimed_id = &key_id;
    SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_psk_client_callback(context, wrong_key);
    for (;;) {
        const int socket = dial(robot);
        if (socket < 0) continue;
        SSL* const ssl = SSL_new(context);
        SSL_set_fd(ssl, socket);
        if (SSL_connect(ssl) == 1) std::abort();  // authenticated without having the key
        SSL_free(ssl);
        ::close(socket);
    }
}

}  // namespace caribou::tests
