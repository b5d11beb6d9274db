#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace caribou::station {

/// What a station has not believed, and whom it has not let in, since it started.
struct Refusals {
    std::uint64_t datagrams = 0;   ///< malformed, sealed with no key of ours, or seen before
    std::uint64_t robots = 0;      ///< that are none of this station's, or one too many
    std::uint64_t doubles = 0;     ///< calls in the name of a robot that is connected from elsewhere
    std::uint64_t handshakes = 0;  ///< robots that were dialed, and not reached, or somebody else

    bool operator==(const Refusals&) const = default;
};

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
