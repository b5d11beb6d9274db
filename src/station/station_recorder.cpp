#include "station/station_recorder.hpp"

#include <cctype>
#include <chrono>
#include <cmath>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "data/recorded_answer.hpp"
#include "data/recorded_command.hpp"
#include "data/recorded_report.hpp"
#include "data/route.hpp"
#include "station/robot_json.hpp"

namespace caribou::station {
namespace {

/// Returns a name valid for MOOS tools, such as `ROVER_X`.
std::string variable(std::string_view robot, std::string_view what) {
    std::string name;
    for (const char c : robot) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name + "_" + std::string(what);
}

/// The JSON Schema of a topic. Views that robots write themselves are objects of any kind.
std::string_view schema_text(std::string_view kind) {
    if (kind == "status") return data::json_schema<data::Status>();
    if (kind == "motion") return data::json_schema<data::Motion>();
    if (kind == "scan") return data::json_schema<data::Scan>();
    if (kind == "map") return data::json_schema<data::RoomMap>();
    if (kind == "route") return data::json_schema<data::Route>();
    if (kind == "command") return data::json_schema<data::RecordedCommand>();
    if (kind == "answer") return data::json_schema<data::RecordedAnswer>();
    if (kind == "report") return data::json_schema<data::RecordedReport>();
    return R"({"type":"object"})";
}

}  // namespace

StationRecorder::StationRecorder(Loop& loop, Station& station, RecordingSink& sink,
                                 const RecorderSettings& settings)
    : loop_(loop), station_(station), sink_(sink), settings_(settings), timer_(loop.make_timer([this] {
          flush(false);
          timer_->arm(loop_.clock().now() + settings_.flush);
      })) {}

StationRecorder::~StationRecorder() { station_.remove_listener(*this); }

void StationRecorder::start() {
    if (recording()) return;
    begin();
    station_.add_listener(*this);
    station_.want_of_all(settings_.views);
    timer_->arm(loop_.clock().now() + settings_.flush);
}

void StationRecorder::begin() {
    const auto seconds = static_cast<std::time_t>(loop_.clock().unix_seconds());
    name_ = fmt::format("{:%Y%m%d-%H%M%S}-{:04}", fmt::gmtime(seconds), ++count_);
    mcap_size_ = alog_size_ = 0;
    lost_ = sink_.lost();
    began_ = loop_.clock().now();
    mcap_.emplace(wire::McapWriter::Options{.compress = true});
    schemas_.clear();
    alog_.emplace(name_, loop_.clock().unix_seconds());
    channels_.clear();
    last_.clear();
    for (const auto& [name, session] : station_.fleet().sessions()) {
        on_status(*session);
        for (const views::View view : views::all_views) on_view(*session, view);
    }
}

void StationRecorder::flush(bool last) {
    const auto hand_over = [&](const char* ending, std::uint64_t& at, Bytes bytes) {
        if (bytes.empty()) return;
        const std::size_t size = bytes.size();
        sink_.write({name_ + ending, at, std::move(bytes), last});
        at += size;
    };
    hand_over(".mcap", mcap_size_, last ? mcap_->finish() : mcap_->take());
    const ByteView lines = bytes_of(alog_->lines());
    hand_over(".alog", alog_size_, Bytes(lines.begin(), lines.end()));
    alog_->clear();
    if (last || !is_over()) return;
    flush(true);
    begin();
}

bool StationRecorder::is_over() const {
    const bool is_torn = sink_.lost() != lost_ && loop_.clock().now() >= began_ + settings_.retry;
    return is_torn || is_full() || mcap_size_ >= settings_.file_bytes;
}

void StationRecorder::finish() {
    if (!recording()) return;
    station_.remove_listener(*this);
    station_.want_of_all({});
    timer_->cancel();
    flush(true);
    mcap_.reset();
    alog_.reset();
}

void StationRecorder::add(const RobotSession& session, std::string_view kind, std::string_view json) {
    if (json.empty()) return;
    const std::string topic = fmt::format("/{}/{}", session.name(), kind);
    auto channel = channels_.find(topic);
    if (channel == channels_.end() && is_full()) return;  // until the next recording starts, within `flush`
    if (channel == channels_.end())
        channel = channels_.emplace(topic, mcap_->add_channel(topic, "json", schema_of(kind))).first;
    const auto now = static_cast<std::uint64_t>(loop_.clock().wall().time_since_epoch().count());
    mcap_->add(channel->second, now, now, bytes_of(json));
    messages_ += 1;
}

std::uint16_t StationRecorder::schema_of(std::string_view kind) {
    const auto found = schemas_.find(kind);
    if (found != schemas_.end()) return found->second;
    const auto id = mcap_->add_schema(fmt::format("caribou.{}", kind), "jsonschema", schema_text(kind));
    return schemas_.emplace(kind, id).first->second;
}

void StationRecorder::log(const RobotSession& session, std::string_view what, double number) {
    const std::string key = variable(session.name(), what);
    alog_->add({.data_type = wire::DataType::number,
                .source = session.name(),
                .key = key,
                .time = loop_.clock().unix_seconds(),
                .value = number});
}

void StationRecorder::log(const RobotSession& session, std::string_view what, std::string_view text) {
    const std::string key = variable(session.name(), what);
    alog_->add({.data_type = wire::DataType::string,
                .source = session.name(),
                .key = key,
                .time = loop_.clock().unix_seconds(),
                .payload = text});
}

void StationRecorder::on_status(RobotSession& session) {
    for (const Section section : {Section::status, Section::route}) {
        std::string json = station_.section(session.name(), section);
        std::string& before = last_[{session.name(), section}];
        if (before == json) continue;
        before = std::move(json);
        add(session, to_string(section), before);
        log(session, section == Section::status ? "STATUS" : "ROUTE", before);
    }
}

void StationRecorder::on_telemetry(RobotSession& session) {
    on_status(session);
    const link::Telemetry* const telemetry = session.telemetry();
    if (session.stale() || !telemetry) return;
    add(session, "motion", station_.section(session.name(), Section::motion));
    // The whole scan is recorded when it arrives.
    if (!station_.shows_scan(session.name()))
        add(session, "scan", station_.section(session.name(), Section::scan));
    log(session, "X", telemetry->pose.x);
    log(session, "Y", telemetry->pose.y);
    log(session, "HEADING", telemetry->pose.heading);
    if (!std::isnan(telemetry->battery.level)) log(session, "BATTERY", telemetry->battery.level);
}

void StationRecorder::on_view(RobotSession& session, views::View view) {
    if (view == views::View::scan && !station_.shows_scan(session.name())) return;
    if (const auto section = section_of(view))
        add(session, to_string(*section), station_.section(session.name(), *section));
}

void StationRecorder::on_report(RobotSession& session, std::string_view text) {
    add(session, "report", to_json(data::RecordedReport{.text = std::string(text)}));
    log(session, "REPORT", text);
}

void StationRecorder::on_command(RobotSession& session, const link::Command& command, const Asker& asker) {
    const std::string text = to_string(command);
    add(session, "command",
        to_json(data::RecordedCommand{.id = command.id.value, .by = asker.name, .command = text}));
    log(session, "COMMAND", text);
}

void StationRecorder::on_answer(RobotSession& session, const link::Answer& answer) {
    data::RecordedAnswer recorded;
    static_cast<data::Outcome&>(recorded) = outcome_of(answer);
    recorded.id = answer.id.value;
    add(session, "answer", to_json(recorded));
    log(session, "ANSWER", to_string(answer));
}

}  // namespace caribou::station
