#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "data/refusals.hpp"

namespace caribou::station {

using data::Refusals;

/// Returns `12 datagrams, 1 handshake`; empty if nothing was refused.
inline std::string to_string(const Refusals& refused) {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0)
            text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, what, count == 1 ? "" : "s");
    };
    add(refused.datagrams, "datagram");
    add(refused.robots, "robot");
    add(refused.doubles, "doubled call");
    add(refused.handshakes, "handshake");
    return text;
}

}  // namespace caribou::station
