#include "platform/resolved_address.hpp"

#include <fmt/format.h>

#include "platform/socket_address.hpp"

namespace caribou {

Result<Address> resolved_address(const Address& address) {
    const auto all = resolve_now(address);
    if (!all) return fail(all.error());
    if (all->empty()) return fail(Code::not_found, fmt::format("{} has no address", address.host));
    return to_address(all->front());
}

}  // namespace caribou
