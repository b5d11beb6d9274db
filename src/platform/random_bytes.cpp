#include "platform/random_bytes.hpp"

#include <sys/random.h>

#include <cerrno>

#include "base/check.hpp"

namespace caribou {

void fill_with_random_bytes(std::span<std::byte> room) {
    while (!room.empty()) {
        const ssize_t got = ::getrandom(room.data(), room.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        check(got > 0, "the system gives random bytes");
        room = room.subspan(static_cast<std::size_t>(got));
    }
}

}  // namespace caribou
