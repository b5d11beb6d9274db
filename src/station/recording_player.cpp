#include "station/recording_player.hpp"

#include <algorithm>
#include <utility>

#include "base/json_node.hpp"
#include "base/limits.hpp"

namespace caribou::station {
namespace {

constexpr int messages_per_turn = 20'000;  ///< a few ms; then other handlers of the loop run

constexpr double shortest_sleep = 0.001;  ///< s
constexpr double longest_sleep = 3600;    ///< regardless of the times in a file

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

/// Parses `/ROBOT/KIND`, where the robot's name may contain slashes.
struct Topic {
    std::string_view robot;
    std::string_view kind;
};
std::optional<Topic> parse_topic(std::string_view topic) {
    const std::size_t slash = topic.rfind('/');
    if (slash == std::string_view::npos || slash < 2 || topic[0] != '/') return std::nullopt;
    return Topic{topic.substr(1, slash - 1), topic.substr(slash + 1)};
}

std::optional<Section> section_named(std::string_view name) {
    for (std::size_t i = 0; i < section_count; ++i)
        if (to_string(static_cast<Section>(i)) == name) return static_cast<Section>(i);
    return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<RecordingPlayer>> RecordingPlayer::open(Loop& loop, std::string name,
                                                               FileImage recording) {
    auto reader = wire::McapReader::open(recording.bytes());
    if (!reader) return fail(std::move(reader.error()));
    return std::unique_ptr<RecordingPlayer>(
        new RecordingPlayer(loop, std::move(name), std::move(recording), std::move(*reader)));
}

RecordingPlayer::RecordingPlayer(Loop& loop, std::string name, FileImage recording, wire::McapReader reader)
    : loop_(loop),
      name_(std::move(name)),
      recording_(std::move(recording)),
      reader_(std::move(reader)),
      times_(wire::mcap_times(recording_.bytes()).value_or(wire::McapTimes{})),
      timer_(loop.make_timer([this] { go_on(); })) {
    times_.last = std::max(times_.first, times_.last);
    seek(start());
}

double RecordingPlayer::now() const { return seconds(position()); }
double RecordingPlayer::start() const { return seconds(times_.first); }
double RecordingPlayer::end() const { return seconds(times_.last); }

std::uint64_t RecordingPlayer::position() const {
    if (!playing_) return anchor_;
    const double passed = to_seconds(loop_.clock().now() - anchored_at_) * speed_ * 1e9;
    const std::uint64_t left = times_.last - anchor_;
    return passed < static_cast<double>(left) ? anchor_ + static_cast<std::uint64_t>(passed) : times_.last;
}

void RecordingPlayer::set_position(std::uint64_t position) {
    anchor_ = position;
    anchored_at_ = loop_.clock().now();
}

void RecordingPlayer::play() {
    if (position() >= times_.last) seek(start());
    set_position(position());
    playing_ = true;
    go_on();
}

void RecordingPlayer::pause() {
    set_position(position());
    playing_ = false;
}

void RecordingPlayer::set_speed(double speed) {
    set_position(position());
    speed_ = speed;
    go_on();
}

void RecordingPlayer::seek(double to) {
    // A double cannot represent all nanoseconds.
    const auto inside = [&] { return static_cast<std::uint64_t>(to * 1e9); };
    set_position(to <= start() ? times_.first
                 : to >= end() ? times_.last
                               : std::clamp(inside(), times_.first, times_.last));
    rewind();
    go_on();
}

/// The state of robots depends on all earlier messages.
void RecordingPlayer::rewind() {
    reader_ = wire::McapReader::open(recording_.bytes()).value();
    next_ = reader_.next();
    by_channel_.clear();
    views_.clear();
    messages_ = 0;
    feed_.emplace([this](const std::string& robot, Section part) { return section(robot, part); }, name_);
}

void RecordingPlayer::go_on() {
    const std::uint64_t until = position();
    for (int i = 0; next_ && next_->log_time <= until; ++i) {
        if (i == messages_per_turn) return timer_->arm(loop_.clock().now());
        show(*next_);
        next_ = reader_.next();
    }
    if (!playing_) return;
    if (next_ && until < times_.last) {
        const double left = seconds(next_->log_time - until) / speed_;
        return timer_->arm(loop_.clock().now() +
                           from_seconds(std::clamp(left, shortest_sleep, longest_sleep)));
    }
    pause();
    if (on_end_) on_end_();
}

void RecordingPlayer::show(const wire::McapMessage& message) {
    messages_ += 1;
    const auto view = view_of(*message.channel);
    if (!view) return;
    auto& [of, now] = *view;
    now.data = message.data;
    now.chunk = message.chunk;
    if (std::exchange(now.told, false)) feed_->touch(of.first, of.second);
}

RecordingPlayer::Views::value_type* RecordingPlayer::view_of(const wire::McapChannel& channel) {
    const auto [known, added] = by_channel_.try_emplace(channel.id, nullptr);
    if (!added) return known->second;
    const auto topic = parse_topic(channel.topic);
    const auto section = topic ? section_named(topic->kind) : std::nullopt;
    if (section) known->second = &*views_.try_emplace({std::string(topic->robot), *section}).first;
    return known->second;
}

std::string RecordingPlayer::section(const std::string& robot, Section section) {
    const auto found = views_.find({robot, section});
    if (found == views_.end()) return {};
    View& view = found->second;
    view.told = true;
    // The output must be JSON, whatever the file contains.
    if (!read_json(text_of(view.data), {.bytes = 1_MiB, .depth = 16, .values = 100'000})) return {};
    return std::string(text_of(view.data));
}

}  // namespace caribou::station
