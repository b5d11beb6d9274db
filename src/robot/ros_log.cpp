#include "robot/ros_log.hpp"

#include <tuple>
#include <utility>

#include "negotiation/typed_sample.hpp"
#include "robot/ros_messages.hpp"

namespace caribou::robot {

RosLog::RosLog(Strand& strand, negotiation::Transport& transport, std::string node)
    : strand_(strand),
      transport_(transport),
      node_(std::move(node)),
      lines_(strand, max_waiting, WhenFull::refuse, [this] { publish_all(); }) {}

Result<void> RosLog::start() {
    auto writer =
        transport_.advertise({"/rosout", "rcl_interfaces/msg/Log"},
                             {.durability = negotiation::Durability::transient_local, .depth = kept}, *this);
    if (!writer) return fail(std::move(writer.error()));
    writer_ = std::move(*writer);
    return {};
}

std::function<void(Level, std::string_view)> RosLog::writer() {
    return [&lines = lines_](Level level, std::string_view text) {
        std::ignore = lines.push({level, std::string(text)});
    };
}

void RosLog::publish_all() {
    while (const auto line = lines_.pop()) {
        const WallTime now = strand_.loop().clock().wall();
        auto message = std::make_shared<const msg::rcl_interfaces::Log>(
            ros_log(to_unix_seconds(now), node_, line->level, line->text));
        // A line that cannot be written is in the log of the robot.
        if (writer_) std::ignore = writer_->write(negotiation::make_sample(std::move(message), now));
    }
}

}  // namespace caribou::robot
