#include "station/topic_stream.hpp"

#include <utility>

#include "base/fields.hpp"
#include "data/recorded_answer.hpp"
#include "data/recorded_command.hpp"
#include "data/route.hpp"
#include "station/foxglove_messages.hpp"
#include "station/robot_json.hpp"
#include "station/scene.hpp"

namespace caribou::station {
namespace {

// `motion` is sent at 10 Hz at most, `pose` and `tf` at 5 Hz; telemetry is sometimes early.
constexpr Duration motion_period = std::chrono::milliseconds(75);
constexpr Duration pose_period = std::chrono::milliseconds(175);

/// Returns whether the time has come, and notes it.
bool is_due(std::optional<Instant>& last, Instant now, Duration period) {
    if (last && now < *last + period) return false;
    last = now;
    return true;
}

}  // namespace

TopicStream::TopicStream(Station& station, TopicEvents& events) : station_(station), events_(events) {
    station_.add_listener(*this);
}

TopicStream::~TopicStream() { station_.remove_listener(*this); }

std::string TopicStream::latest(RobotSession& session, Topic topic) const {
    const std::string& robot = session.name();
    if (const auto section = section_of(topic)) return station_.section(robot, *section);
    const link::Telemetry* const telemetry = session.telemetry();
    const ViewReader* const views = station_.find_views(robot);
    const double at = unix_time(session.telemetry_at(), station_.clock());
    switch (topic) {
        case Topic::pose:
            return telemetry ? to_json(pose_message(telemetry->pose, robot, at)) : std::string();
        case Topic::transform:
            return telemetry ? to_json(transform_message(telemetry->pose, robot, at)) : std::string();
        case Topic::map_transform:
            return telemetry ? to_json(map_transform_message(robot, at)) : std::string();
        case Topic::odom_transform:
            return telemetry ? to_json(odom_transform_message(telemetry->odom_in_map, robot, at))
                             : std::string();
        case Topic::scan: {
            const auto* const whole = views ? views->scan() : nullptr;
            const auto section = scan_of(session, station_.clock(), whole);
            if (!section) return {};
            return to_json(scan_message(*section, whole ? &whole->content : nullptr, robot));
        }
        case Topic::map:
            if (!views || !views->map()) return {};
            return to_json(
                map_message(map_of(session, *views->map(), views->text(views::View::places)), robot));
        case Topic::camera:
            // Not the reason why there is no image.
            if (!views || !views->camera() || views->camera()->content.jpeg.empty()) return {};
            return to_json(camera_message(camera_of(session, *views->camera()), robot));
        case Topic::scene: {
            data::FoxgloveSceneUpdate drawn = scene(session);
            set_time(drawn, station_.clock().unix_seconds());
            return to_json(drawn);
        }
        default: return {};
    }
}

void TopicStream::send_all() {
    sent_.clear();
    for (const auto& [robot, session] : station_.fleet().sessions())
        for (std::size_t i = 0; i < topic_count; ++i) send(*session, static_cast<Topic>(i));
}

void TopicStream::send(RobotSession& session, Topic topic) {
    if (!events_.wants(session.name(), topic)) return;
    const std::string message = latest(session, topic);
    if (!message.empty()) events_.on_message(session.name(), topic, message);
}

bool TopicStream::send_changed(RobotSession& session, Topic topic, std::string& before) {
    if (!events_.wants(session.name(), topic)) return false;
    std::string message = latest(session, topic);
    if (message == before) return false;
    before = std::move(message);
    if (!before.empty())
        events_.on_message(session.name(), topic, before);
    else if (topic == Topic::route)
        events_.on_message(session.name(), topic, to_json(data::Route{}));  // without points: there is none
    return true;
}

void TopicStream::send_motion(RobotSession& session) {
    Sent& sent = sent_[session.name()];
    const Instant now = station_.clock().now();
    if (is_due(sent.motion_at, now, motion_period)) send(session, Topic::motion);
    const Pose& pose = session.telemetry()->pose;
    if (sent.pose == pose || !is_due(sent.pose_at, now, pose_period)) return;
    if (!sent.pose) send(session, Topic::map_transform);  // which never changes
    sent.pose = pose;
    send(session, Topic::pose);
    send(session, Topic::transform);
    const Pose& odom = session.telemetry()->odom_in_map;
    if (std::exchange(sent.odom, odom) != odom) send(session, Topic::odom_transform);
}

data::FoxgloveSceneUpdate TopicStream::scene(RobotSession& session) const {
    const ViewReader* const views = station_.find_views(session.name());
    const auto shown = [&](views::View view) { return views ? views->text(view) : nullptr; };
    const auto places = read_shown<data::Places>(shown(views::View::places));
    const auto plan = read_shown<data::Plan>(shown(views::View::plan));
    const auto route = station_.route(session.name());
    return scene_of(session.name(), {.places = &places, .plan = &plan, .route = route ? &*route : nullptr});
}

void TopicStream::send_scene(RobotSession& session) {
    if (!events_.wants(session.name(), Topic::scene)) return;
    data::FoxgloveSceneUpdate drawn = scene(session);
    std::string& before = sent_[session.name()].scene;
    std::string text = to_json(drawn);
    if (text == before) return;
    before = std::move(text);
    set_time(drawn, station_.clock().unix_seconds());
    events_.on_message(session.name(), Topic::scene, to_json(drawn));
}

void TopicStream::on_status(RobotSession& session) {
    Sent& sent = sent_[session.name()];
    send_changed(session, Topic::status, sent.status);
    if (send_changed(session, Topic::route, sent.route)) send_scene(session);
}

void TopicStream::on_telemetry(RobotSession& session) {
    on_status(session);
    if (session.stale() || !session.telemetry()) return;
    send_motion(session);
    if (sent_[session.name()].scene.empty()) send_scene(session);
    // The whole scan is sent when it arrives.
    if (!station_.shows_scan(session.name())) send(session, Topic::scan);
}

void TopicStream::on_view(RobotSession& session, views::View view) {
    if (view == views::View::scan && !station_.shows_scan(session.name())) return;
    for (std::size_t i = 0; i < topic_count; ++i) {
        const auto topic = static_cast<Topic>(i);
        if (topic == Topic::scene && depends_on(topic, view))
            send_scene(session);
        else if (depends_on(topic, view))
            send(session, topic);
    }
}

void TopicStream::on_report(RobotSession& session, std::string_view text) {
    if (!events_.wants(session.name(), Topic::log)) return;
    events_.on_message(session.name(), Topic::log,
                       to_json(log_message(text, session.name(), station_.clock().unix_seconds())));
}

void TopicStream::on_command(RobotSession& session, const link::Command& command, const Asker& asker) {
    if (!events_.wants(session.name(), Topic::command)) return;
    const data::RecordedCommand recorded{
        .id = command.id.value, .by = asker.name, .command = to_string(command)};
    events_.on_message(session.name(), Topic::command, to_json(recorded));
}

void TopicStream::on_answer(RobotSession& session, const link::Answer& answer) {
    if (!events_.wants(session.name(), Topic::answer)) return;
    data::RecordedAnswer recorded;
    static_cast<data::Outcome&>(recorded) = outcome_of(answer);
    recorded.text = clipped(answer.text, recorded_answer_limit);
    recorded.id = answer.id.value;
    events_.on_message(session.name(), Topic::answer, to_json(recorded));
}

}  // namespace caribou::station
