#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "station/route.hpp"

/// Arbitrary bytes as a route. They must be refused with a message, or parse to a route whose text form
/// parses to itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::station;
    const auto route = read_route(text_of(std::as_bytes(std::span(data, size))), "r.toml");
    if (!route) {
        check(route.error().message.starts_with("r.toml:"), "what is refused has a place and a reason");
        return 0;
    }
    check(!route->points.empty() && route->points.size() <= RouteLimits::points, "it leads somewhere");
    const auto again = read_route(to_string(*route), "r.toml");
    check(again.has_value() && *again == *route, "what was read is written as it was");
    return 0;
}
