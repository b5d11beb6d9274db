#include "robot/link_trust.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::robot {

LinkTrust::LinkTrust(link::KeyBook& keys, ServerCookie& cookie, Options options)
    : keys_(keys), cookie_(cookie), options_(std::move(options)) {}

std::string LinkTrust::owner() {
    std::string name = shares_folder() ? std::string() : cookie_.station();
    return name.empty() || keys_.named(name) ? name : std::string();
}

Result<link::PairedKey> LinkTrust::station_key() {
    const std::string name = owner();
    return keys_.named(name.empty() ? options_.station : name);
}

Result<link::PairedKey> LinkTrust::admit(link::KeyId id) {
    auto key = keys_.find(id);
    if (key && shares_folder() && key->name != options_.robot)
        return fail(Code::refused, fmt::format("the key of {} is not for {}", key->name, options_.robot));
    return key;
}

Result<void> LinkTrust::claim(const link::PairedKey& station) {
    if (!link::may(station.role, link::Role::drive))
        return fail(Code::refused, fmt::format("{} may only observe, and a station drives", station.name));
    const std::string name = owner();
    if (shares_folder() || name == station.name) return {};
    if (!name.empty())
        return fail(
            Code::refused,
            fmt::format("this robot belongs to {}; `set_run_mode mode=2 drop_server=true` releases it",
                        name));
    return cookie_.keep(station.name);
}

}  // namespace caribou::robot
