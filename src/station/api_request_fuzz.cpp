#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "station/api_request.hpp"

/// Arbitrary bytes as a request. They must be refused with a message, or be a request within its limits.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::station;
    const auto request = read_request(text_of(std::as_bytes(std::span(data, size))));
    if (!request) {
        check(!request.error().message.empty(), "what is refused has a reason");
        return 0;
    }
    check(request->robots.size() <= ApiLimits::watched, "not too many robots are watched");
    check(request->period >= from_seconds(1 / ApiLimits::highest_rate), "not too often");
    return 0;
}
