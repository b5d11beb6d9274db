#include <algorithm>

#include <fmt/format.h>

#include "negotiation/limits.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

std::string to_string(const PeerId& id) { return fmt::format("{:016x}{:016x}", id.high, id.low); }

Result<void> check_topic(const Topic& topic, const TopicQos& qos) {
    const auto wrong = [&](std::string_view what) {
        return fail(Code::invalid_argument,
                    fmt::format("topic `{}` of type `{}`: {}", topic.name, topic.type, what));
    };
    if (topic.name.empty()) return wrong("it needs a name, such as `/scan`");
    if (topic.type.empty()) return wrong("it needs a type, such as `std_msgs/msg/String`");
    constexpr std::size_t max_name = Limits{}.max_name;
    if (std::max(topic.name.size(), topic.type.size()) > max_name)
        return wrong(
            limit_reached("max_name", std::max(topic.name.size(), topic.type.size()), max_name, "bytes"));
    if (topic.name.find_first_of("*?,#@ \t\r\n") != std::string::npos)
        return wrong("a name has no blanks, and none of *?,#@");
    if (qos.depth == 0) return wrong("a depth of 0 keeps nothing; 1 is the least");
    return {};
}

}  // namespace caribou::negotiation
