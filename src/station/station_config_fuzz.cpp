#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "station/station_config.hpp"

/// Arbitrary bytes as a configuration. Each fault must have a message; a valid configuration must listen on
/// this machine only, or have a token, and must print as a file that is valid.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    const auto read = station::read_station_config(text_of(std::as_bytes(std::span(data, size))), "s.toml");
    for (const TextFault& fault : read.faults) check(!fault.message.empty(), "a fault has a sentence");
    if (!read.faults.empty()) return 0;
    check(!read.config.plain || read.config.listen.is_loopback(), "a plain link stays on this machine");
    check(station::read_station_config(read.printed, "again").faults.empty(), "what is printed is valid");
    check(read.config.web_listen.is_loopback() || !read.config.api.access.tokens.empty(),
          "strangers need a token");
    const auto& dds = read.config.topics.dds;
    check(dds.insecure_lan || (dds.interface.empty() && dds.peers.empty()), "DDS stays on this machine");
    return 0;
}
