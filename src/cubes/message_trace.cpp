#include "cubes/message_trace.hpp"

#include <utility>

#include <fmt/format.h>

#include "cubes/cube_message.hpp"

namespace caribou::cubes {

std::string to_string(const TracedMessage& message) {
    const auto decoded = decode(message.bytes);
    const bool is_to_cube = message.direction == TracedMessage::Direction::to_cube;
    return fmt::format("{:.3f} s  {}  {}", to_seconds(message.when.time_since_epoch()),
                       is_to_cube ? "to cube" : "from cube",
                       decoded ? describe(*decoded) : decoded.error().message);
}

void MessageTrace::add(TracedMessage message) {
    messages_.push_back(std::move(message));
    if (messages_.size() > capacity) messages_.pop_front();
    ++count_;
}

}  // namespace caribou::cubes
