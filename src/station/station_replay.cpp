#include "station/station_replay.hpp"

#include <algorithm>

#include "base/json_node.hpp"

namespace caribou::station {

Result<std::unique_ptr<StationReplay>> StationReplay::open(Loop& loop, Station& station, FileImage recording,
                                                           double speed) {
    auto reader = wire::McapReader::open(recording.bytes());
    if (!reader) return fail(std::move(reader.error()));
    return std::unique_ptr<StationReplay>(
        new StationReplay(loop, station, std::move(recording), std::move(*reader), speed));
}

StationReplay::StationReplay(Loop& loop, Station& station, FileImage recording, wire::McapReader reader,
                             double speed)
    : loop_(loop),
      station_(station),
      recording_(std::move(recording)),
      reader_(std::move(reader)),
      speed_(speed),
      timer_(loop.make_timer([this] { play(); })) {}

void StationReplay::start() {
    began_ = loop_.clock().now();
    next_ = reader_.next();
    if (next_) first_time_ = next_->log_time;
    play();
}

Instant StationReplay::due(const wire::McapMessage& message) const {
    const double seconds =
        static_cast<double>(message.log_time - std::min(first_time_, message.log_time)) / 1e9;
    return began_ + from_seconds(seconds / speed_);
}

void StationReplay::play() {
    while (next_ && due(*next_) <= loop_.clock().now()) {
        show(*next_);
        next_ = reader_.next();
    }
    if (next_) timer_->arm(due(*next_));
}

void StationReplay::show(const wire::McapMessage& message) {
    messages_ += 1;
    const std::string_view topic = message.channel->topic;
    const std::size_t slash = topic.rfind('/');
    if (slash == std::string_view::npos || slash < 2 || topic[0] != '/') return;
    const std::string robot(topic.substr(1, slash - 1));
    const std::string_view kind = topic.substr(slash + 1);
    station_.set_shown_time(static_cast<double>(message.log_time) / 1e9);
    // What is told has to be JSON, whatever the file holds.
    if (!read_json(text_of(message.data), {.bytes = 64_KiB, .depth = 16, .values = 10'000})) return;
    for (const Section section : {Section::status, Section::motion, Section::route, Section::scan})
        if (kind == to_string(section)) station_.show(robot, section, std::string(text_of(message.data)));
}

}  // namespace caribou::station
