#include "station/station_recorder.hpp"

#include <cctype>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/fields.hpp"

namespace caribou::station {
namespace {

/// Returns a name valid for MOOS tools, such as `ROVER_X`.
std::string variable(std::string_view robot, std::string_view what) {
    std::string name;
    for (const char c : robot) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name + "_" + std::string(what);
}

constexpr std::string_view camera_suffix = "-camera";

}  // namespace

bool is_camera_recording(std::string_view name) {
    return name.substr(0, name.find('.')).ends_with(camera_suffix);
}

StationRecorder::StationRecorder(Loop& loop, Station& station, RecordingSink& sink,
                                 const RecorderSettings& settings)
    : loop_(loop), station_(station), sink_(sink), settings_(settings), timer_(loop.make_timer([this] {
          flush(false);
          timer_->arm(loop_.clock().now() + settings_.flush);
      })) {}

StationRecorder::~StationRecorder() { station_.remove_listener(*this); }

void StationRecorder::start() {
    if (recording()) return;
    topics_.emplace(station_, static_cast<TopicEvents&>(*this));
    begin();
    station_.add_listener(*this);
    station_.want_of_all(settings_.views);
    timer_->arm(loop_.clock().now() + settings_.flush);
}

void StationRecorder::begin() {
    const auto seconds = static_cast<std::time_t>(loop_.clock().unix_seconds());
    name_ = fmt::format("{:%Y%m%d-%H%M%S}-{:04}{}", fmt::gmtime(seconds), ++count_,
                        has_camera() ? camera_suffix : "");
    written_ = sink_.written();
    lost_ = sink_.lost();
    began_ = loop_.clock().now();
    batch_ = {.name = name_};
    schemas_.clear();
    alog_.emplace(name_, loop_.clock().unix_seconds(), wire::AlogWriter::Awkward::escaped);
    channels_.clear();
    topics_->send_all();
}

void StationRecorder::flush(bool last) {
    const ByteView lines = bytes_of(alog_->lines());
    batch_.lines.assign(lines.begin(), lines.end());
    alog_->clear();
    batch_.last = last;
    const bool is_due = last || batch_.number == 0 || !batch_.messages.empty() || !batch_.lines.empty();
    if (is_due) {
        RecordingBatch next{.name = name_, .number = batch_.number + 1};
        sink_.write(std::exchange(batch_, std::move(next)));
    }
    if (last || !is_over()) return;
    flush(true);
    begin();
}

bool StationRecorder::is_over() const {
    const bool is_torn = sink_.lost() != lost_ && loop_.clock().now() >= began_ + settings_.retry;
    const bool is_long = has_camera() && loop_.clock().now() >= began_ + settings_.camera_span;
    return is_torn || is_long || is_full() || sink_.written() - written_ >= settings_.file_bytes;
}

void StationRecorder::finish() {
    if (!recording()) return;
    station_.remove_listener(*this);
    topics_.reset();
    station_.want_of_all({});
    timer_->cancel();
    flush(true);
    alog_.reset();
}

void StationRecorder::on_message(const std::string& robot, Topic topic, std::string_view json) {
    const std::string name = fmt::format("/{}/{}", robot, to_string(topic));
    auto channel = channels_.find(name);
    if (channel == channels_.end() && is_full()) return;  // until the next recording starts, within `flush`
    if (channel == channels_.end()) {
        batch_.messages.channels.push_back({name, "json", schema_of(topic)});
        channel = channels_.emplace(name, static_cast<std::uint16_t>(channels_.size())).first;
    }
    // Whole milliseconds compress better.
    const auto now = std::chrono::floor<std::chrono::milliseconds>(loop_.clock().wall());
    const auto time = static_cast<std::uint64_t>(std::chrono::nanoseconds(now.time_since_epoch()).count());
    batch_.messages.add(channel->second, time, bytes_of(json));
    messages_ += 1;
    if (topic == Topic::status) log(robot, "STATUS", json);
    if (topic == Topic::route) log(robot, "ROUTE", json);
}

std::uint16_t StationRecorder::schema_of(Topic topic) {
    const std::string_view name = schema_name(topic);
    const auto found = schemas_.find(name);
    if (found != schemas_.end()) return found->second;
    batch_.messages.schemas.push_back({std::string(name), "jsonschema", std::string(schema_text(topic))});
    return schemas_.emplace(name, static_cast<std::uint16_t>(schemas_.size() + 1)).first->second;
}

void StationRecorder::log(const std::string& robot, std::string_view what, double number) {
    const std::string key = variable(robot, what);
    alog_->add({.data_type = wire::DataType::number,
                .source = robot,
                .key = key,
                .time = loop_.clock().unix_seconds(),
                .value = number});
}

void StationRecorder::log(const std::string& robot, std::string_view what, std::string_view text) {
    const std::string key = variable(robot, what);
    alog_->add({.data_type = wire::DataType::string,
                .source = robot,
                .key = key,
                .time = loop_.clock().unix_seconds(),
                .payload = text});
}

void StationRecorder::on_telemetry(RobotSession& session) {
    const link::Telemetry* const telemetry = session.telemetry();
    if (session.stale() || !telemetry) return;
    log(session.name(), "X", telemetry->pose.x);
    log(session.name(), "Y", telemetry->pose.y);
    log(session.name(), "HEADING", telemetry->pose.heading);
    if (!std::isnan(telemetry->battery.level)) log(session.name(), "BATTERY", telemetry->battery.level);
}

void StationRecorder::on_report(RobotSession& session, std::string_view text) {
    log(session.name(), "REPORT", text);
}

void StationRecorder::on_command(RobotSession& session, const link::Command& command, const Asker&) {
    log(session.name(), "COMMAND", to_string(command));
}

void StationRecorder::on_answer(RobotSession& session, const link::Answer& answer) {
    log(session.name(), "ANSWER", clipped(to_string(answer), recorded_answer_limit));
}

}  // namespace caribou::station
