#pragma once

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou {

/// Returns the first numeric address of a host name, IPv4 before IPv6; a number is returned as it is. Blocks
/// while it asks the system.
Result<Address> resolved_address(const Address& address);

}  // namespace caribou
