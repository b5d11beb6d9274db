#include "station/station.hpp"

#include <fmt/format.h>

#include "station/robot_json.hpp"

namespace caribou::station {
namespace {

template <class T>
std::string json_or_nothing(const std::optional<T>& value) {
    return value ? to_json(*value) : std::string();
}

}  // namespace

Station::Station(Loop& loop, Network& network, FleetSettings settings, Log& log, AutopilotSettings pilot)
    : loop_(loop),
      log_(log),
      feed_([this](const std::string& robot, Section part) { return section(robot, part); }),
      pilot_settings_(pilot),
      fleet_(loop, network, std::move(settings), *this, log) {}

std::string Station::section(const std::string& robot, Section section) {
    const RobotSession* const session = fleet_.find(robot);
    if (!session) return {};
    const ViewReader* const shows = find_views(robot);
    switch (section) {
        case Section::status: return to_json(status_of(*session, fleet_.groups_of(robot), clock()));
        case Section::motion: return json_or_nothing(motion_of(*session, clock()));
        case Section::route: return json_or_nothing(route(robot));
        case Section::scan:
            return json_or_nothing(scan_of(*session, clock(), shows ? shows->scan() : nullptr));
        case Section::map:
            return shows && shows->map()
                       ? to_json(map_of(*session, *shows->map(), shows->text(views::View::places)))
                       : std::string();
        case Section::camera:
            return shows && shows->camera() ? to_json(camera_of(*session, *shows->camera())) : std::string();
        case Section::changes: {
            const auto history = histories_.find(robot);
            return history == histories_.end() ? std::string() : to_json(history->second.changes());
        }
        default: {
            const ShownText* const text = shows ? shows->text(*view_of(section)) : nullptr;
            return text ? view_json(*session, *text) : std::string();
        }
    }
    return {};
}

ViewReader& Station::views_of(RobotSession& session) {
    auto& views = views_[session.name()];
    if (!views)
        views = std::make_unique<ViewReader>(loop_, topics_ ? *topics_ : session.topics(), session.name(),
                                             [this, &session](views::View view) { on_view(session, view); });
    return *views;
}

void Station::want(Wants wants) {
    wants_ = std::move(wants);
    tell_wants();
}

void Station::want_of_all(std::set<views::View> views) {
    wanted_of_all_ = std::move(views);
    tell_wants();
}

std::set<views::View> Station::wanted_of(const std::string& robot) const {
    std::set<views::View> wanted = wanted_of_all_;
    if (const auto found = wants_.find(robot); found != wants_.end())
        wanted.insert(found->second.begin(), found->second.end());
    // The autopilot plans on the robot's map.
    if (const auto pilot = pilots_.find(robot); pilot != pilots_.end() && pilot->second->route())
        wanted.insert(views::View::map);
    return wanted;
}

void Station::tell_wants() {
    for (const auto& [robot, session] : fleet_.sessions()) tell_wants(*session);
}

void Station::tell_wants(RobotSession& session) {
    const std::set<views::View> wanted = wanted_of(session.name());
    if (!wanted.empty() || views_.contains(session.name())) read_views(session, wanted);
}

void Station::read_views(RobotSession& session, const std::set<views::View>& wanted) {
    ViewReader& reader = views_of(session);
    const auto choice = cameras_.find(session.name());
    reader.choose_camera(choice == cameras_.end() ? views::CameraEncoding::full : choice->second);
    reader.want(wanted);
}

void Station::tell_route(const std::string& robot) {
    feed_.touch(robot, Section::route);
    if (RobotSession* const session = fleet_.find(robot)) tell_wants(*session);
}

const ViewReader* Station::find_views(const std::string& robot) const {
    const auto views = views_.find(robot);
    return views == views_.end() ? nullptr : views->second.get();
}

bool Station::shows_scan(const std::string& robot) const {
    const ViewReader* const views = find_views(robot);
    return views && views->scan();
}

const wire::Grid* Station::grid_of(const std::string& robot) const {
    const ViewReader* const views = find_views(robot);
    return views && views->map() ? &views->map()->content : nullptr;
}

std::optional<data::Route> Station::route(const std::string& robot) const {
    const auto pilot = pilots_.find(robot);
    return pilot == pilots_.end() ? std::nullopt : pilot->second->shown();
}

void Station::on_view(RobotSession& session, views::View view) {
    if (const auto section = section_of(view)) feed_.touch(session.name(), *section);
    for (SessionEvents* const listener : listeners_) listener->on_view(session, view);
}

Autopilot& Station::pilot(RobotSession& session) {
    auto& pilot = pilots_[session.name()];
    if (!pilot)
        pilot =
            std::make_unique<Autopilot>(session, clock(), pilot_settings_, [this, robot = session.name()] {
                const ViewReader* const views = find_views(robot);
                return Autopilot::ShownMap{grid_of(robot),
                                           views ? views->text(views::View::places) : nullptr};
            });
    return *pilot;
}

void Station::watch_modes(const RobotSession& session) {
    const data::Status status = status_of(session, {}, clock());
    if (histories_[session.name()].take(status, clock().unix_seconds()))
        feed_.touch(session.name(), Section::changes);
}

void Station::on_status(RobotSession& session) {
    watch_modes(session);
    // Its views may have been requested before its first call.
    if (const auto wanted = wanted_of(session.name()); !wanted.empty()) read_views(session, wanted);
    feed_.touch(session.name(), Section::status);
    if (const auto pilot = pilots_.find(session.name()); pilot != pilots_.end()) {
        pilot->second->on_status();
        feed_.touch(session.name(), Section::route);
    }
    for (SessionEvents* const listener : listeners_) listener->on_status(session);
}

void Station::on_telemetry(RobotSession& session) {
    watch_modes(session);
    for (const Section section : {Section::status, Section::motion, Section::scan})
        feed_.touch(session.name(), section);
    if (const auto pilot = pilots_.find(session.name()); pilot != pilots_.end()) {
        pilot->second->on_telemetry();
        feed_.touch(session.name(), Section::route);
    }
    for (SessionEvents* const listener : listeners_) listener->on_telemetry(session);
}

void Station::on_report(RobotSession& session, std::string_view text) {
    log_.warning(fmt::format("{}: {}", session.name(), text));
    for (SessionEvents* const listener : listeners_) listener->on_report(session, text);
}

void Station::on_command(RobotSession& session, const link::Command& command, const Asker& asker) {
    histories_[session.name()].on_command(command, asker.name, clock().unix_seconds());
    for (SessionEvents* const listener : listeners_) listener->on_command(session, command, asker);
}

void Station::on_answer(RobotSession& session, const link::Answer& answer) {
    if (const auto history = histories_.find(session.name()); history != histories_.end())
        history->second.on_answer(answer);
    for (SessionEvents* const listener : listeners_) listener->on_answer(session, answer);
}

}  // namespace caribou::station
