// Arbitrary text as the configuration of a bridge: the result is a usable plan, or errors with valid
// locations.

#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "negotiation/ros_bridge_plan.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    const NamedText file{"f", std::string(reinterpret_cast<const char*>(data), size)};
    const auto plan = negotiation::read_bridge_plan(file);
    if (!plan) {
        check(!plan.error().empty(), "what cannot be used has a reason");
        return 0;
    }
    for (const auto& route : plan->routes) {
        if (!route.whole.empty()) {
            check(!route.topic.type.empty(), "a whole message has a type");
            continue;
        }
        check(route.schema != nullptr && !route.fields.empty(), "a route has a type and fields");
        check(msg::decode_value(*route.schema, msg::encode_value(*route.schema, route.frame)).has_value(),
              "a route begins with a message");
    }
    return 0;
}
