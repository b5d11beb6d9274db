#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "robot/config_schema.hpp"

/// Arbitrary text as a configuration. Errors must have a line and a message; a valid one must print as a file
/// that parses to itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::robot;
    const std::string_view text = text_of(std::as_bytes(std::span(data, size)));
    const ReadConfig read = read_config(text, "fuzz");
    for (const TextFault& fault : read.faults)
        check(!fault.message.empty() && fault.line > 0, "what is wrong has a line and a sentence");
    if (!read.good()) return 0;
    check(read_config(print_config(read), "again").config == read.config, "what is printed reads the same");
    const auto changed = with_parameter(text, "telemetry.rate", "7");
    check(!changed || read_config(*changed, "changed").config.telemetry_rate == 7, "a change is there");
    return 0;
}
