// Arbitrary text as a scenario: it is parsed, or all errors are reported.

#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "sim/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    const std::string text(text_of(std::as_bytes(std::span(data, size))));
    const auto scenario = sim::read_scenario({"fuzz.toml", text});
    if (!scenario) check(!scenario.error().empty(), "what is refused has a reason");
    return 0;
}
