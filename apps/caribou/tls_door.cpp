#include "caribou/tls_door.hpp"

#include <fmt/format.h>

namespace caribou::app {

TlsDoor::TlsDoor(Loop& loop, Network& below, KeyFolder folder, Log& log)
    : ring_(folder, log), network_(loop, below, log, {.keys = [this](link::KeyId id) { return admit(id); }}) {
    if (ring_.size() == 0)
        log.warning(fmt::format(
            "there are no keys in {}: no client can connect with TLS before `caribou pair make NAME`",
            folder.path().string()));
}

Result<link::SecretKey> TlsDoor::admit(link::KeyId id) {
    const auto found = ring_.find(id);
    if (!found) return fail(found.error());
    if (!link::may(found->role, link::Role::drive))
        return fail(Code::refused,
                    fmt::format("{} may only observe, and every client of a bus can write", found->name));
    return found->key;
}

Result<Address> tls_address(const std::string& text) {
    const auto address = Address::parse(text.contains(':') ? text : "0.0.0.0:" + text);
    if (address && address->kind == Address::Kind::ip) return *address;
    return fail(Code::invalid_argument, fmt::format("--tls is `{}`; expected PORT or ADDRESS:PORT", text));
}

}  // namespace caribou::app
