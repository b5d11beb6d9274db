#include "station/recording_player.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_node.hpp"
#include "base/limits.hpp"
#include "data/route.hpp"
#include "station/foxglove_messages.hpp"
#include "station/recording_version.hpp"
#include "station/topic.hpp"

namespace caribou::station {
namespace {

// A piece takes a few ms; then other handlers of the loop run.
constexpr int messages_per_piece = 5000;
constexpr std::size_t bytes_per_piece = 4_MiB;
constexpr int marks_per_piece = 1000;  ///< messages

constexpr double shortest_sleep = 0.005;  ///< s
constexpr double longest_sleep = 3600;    ///< regardless of the times in a file

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

/// A map is one value in base64; a scan has one value per ray.
constexpr JsonLimits json_limits{.bytes = 8_MiB, .depth = 16, .values = 100'000};

/// Reads a message and returns the section that it was made of, as JSON; empty if it is malformed.
template <class Message, class Convert>
std::string section_in(const JsonNode& node, Convert convert) {
    const auto message = data::from_json<Message>(node, "message");
    return message ? convert(*message) : std::string();
}

/// Returns whether it is the message that is recorded when a route is removed.
bool is_cleared_route(const JsonNode& node) {
    const auto route = data::from_json<data::Route>(node, "route");
    return route && *route == data::Route{};
}

}  // namespace

Result<std::unique_ptr<RecordingPlayer>> RecordingPlayer::open(Loop& loop, std::string name,
                                                               FileImage recording, ReplayTurns* turns) {
    auto reader = wire::McapReader::open(recording.bytes());
    if (!reader) return fail(std::move(reader.error()));
    if (auto readable = check_recording_profile(wire::mcap_profile(recording.bytes())); !readable)
        return fail(std::move(readable.error()));
    return std::unique_ptr<RecordingPlayer>(
        new RecordingPlayer(loop, std::move(name), std::move(recording), std::move(*reader), turns));
}

RecordingPlayer::RecordingPlayer(Loop& loop, std::string name, FileImage recording, wire::McapReader reader,
                                 ReplayTurns* turns)
    : loop_(loop),
      turns_(turns),
      name_(std::move(name)),
      recording_(std::move(recording)),
      reader_(std::move(reader)),
      times_(wire::mcap_times(recording_.bytes()).value_or(wire::McapTimes{})),
      timer_(loop.make_timer([this] {
          is_due_ = true;
          wake();
      })),
      marks_timer_(loop.make_timer([this] { wake(); })) {
    times_.last = std::max(times_.first, times_.last);
    seek(start());
}

RecordingPlayer::~RecordingPlayer() {
    if (turns_) turns_->cancel(*this);
}

void RecordingPlayer::wake() {
    if (turns_) return turns_->request(*this);
    do_piece();
}

void RecordingPlayer::do_piece() {
    if (std::exchange(is_due_, false)) {
        if (marks_) marks_timer_->arm(loop_.clock().now());
        return go_on();
    }
    if (marks_) look_for_marks();
}

double RecordingPlayer::now() const { return seconds(position()); }
double RecordingPlayer::start() const { return seconds(times_.first); }
double RecordingPlayer::end() const { return seconds(times_.last); }

std::size_t RecordingPlayer::moving_robots() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(views_, [](const auto& view) { return view.first.second == Section::motion; }));
}

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

std::uint64_t RecordingPlayer::position_of(double time) const {
    // A double cannot represent all nanoseconds, but those of a mark.
    const auto inside = [&] { return static_cast<std::uint64_t>(std::llround(time * 1e6)) * 1000; };
    return time <= start() ? times_.first
           : time >= end() ? times_.last
                           : std::clamp(inside(), times_.first, times_.last);
}

void RecordingPlayer::seek(double to) {
    set_position(position_of(to));
    rewind();
    go_on();
}

void RecordingPlayer::skip(double to) {
    set_position(std::max(position_of(to), position()));
    go_on();
}

void RecordingPlayer::find_marks(std::function<void(const data::MarksMessage&)> found) {
    on_marks_ = std::move(found);
    marks_.emplace(wire::McapReader::open(recording_.bytes()).value());
    marks_timer_->arm(loop_.clock().now());
}

void RecordingPlayer::look_for_marks() {
    if (!marks_->read_on(marks_per_piece)) return marks_timer_->arm(loop_.clock().now());
    data::MarksMessage found = marks_->take();
    marks_.reset();
    found.name = name_;
    on_marks_(found);
}

/// Reads the last message of each channel again.
void RecordingPlayer::rewind() {
    reader_ = wire::McapReader::open(recording_.bytes()).value();
    reader_.skip_before(anchor_);
    next_ = reader_.next();
    by_channel_.clear();
    views_.clear();
    messages_ = 0;
    settled_ = false;
    feed_.emplace([this](const std::string& robot, Section part) { return section(robot, part); }, name_);
}

void RecordingPlayer::go_on() {
    const std::uint64_t until = position();
    std::size_t bytes = 0;
    for (int i = 0; next_ && next_->log_time <= until; ++i) {
        if (i == messages_per_piece || bytes > bytes_per_piece) return timer_->arm(loop_.clock().now());
        bytes += next_->data.size();
        show(*next_);
        next_ = reader_.next();
    }
    settled_ = true;
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
    const auto topic = topic_name_in(channel.topic);
    const auto section = topic ? section_named(topic->kind) : std::nullopt;
    if (!section) return nullptr;
    known->second = &*views_.try_emplace({std::string(topic->robot), *section}).first;
    // Version 1 recorded the sections themselves.
    known->second->second.form = channel.schema_name == schema_name(Topic::scan)     ? Form::laser_scan
                                 : channel.schema_name == schema_name(Topic::map)    ? Form::grid
                                 : channel.schema_name == schema_name(Topic::camera) ? Form::image
                                                                                     : Form::section;
    return known->second;
}

std::string RecordingPlayer::section(const std::string& robot, Section section) {
    const auto found = views_.find({robot, section});
    if (found == views_.end()) return {};
    View& view = found->second;
    view.told = true;
    // The output must be JSON, whatever the file contains.
    const auto node = read_json(text_of(view.data), json_limits);
    if (!node) return {};
    switch (view.form) {
        case Form::section:
            if (section == Section::route && is_cleared_route(*node)) return {};
            return std::string(text_of(view.data));
        case Form::laser_scan:
            return section_in<data::ScanTopic>(
                *node, [](const data::ScanTopic& scan) { return to_json(scan_in(scan)); });
        case Form::grid:
            return section_in<data::MapTopic>(*node, [](const data::MapTopic& message) {
                const auto map = map_in(message);
                return map ? to_json(*map) : std::string();
            });
        case Form::image:
            return section_in<data::CameraTopic>(*node, [](const data::CameraTopic& message) {
                const auto image = camera_in(message);
                return image ? to_json(*image) : std::string();
            });
    }
    return {};
}

}  // namespace caribou::station
