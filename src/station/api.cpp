#include "station/api.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "base/web_form.hpp"
#include "data/recording_message.hpp"
#include "data/refused_message.hpp"
#include "data/report_message.hpp"
#include "station/watcher.hpp"

namespace caribou::station {
namespace {

constexpr Duration tick_period = std::chrono::milliseconds(50);
constexpr Duration picture_period = std::chrono::milliseconds(100);
constexpr Duration refused_period = std::chrono::seconds(1);

WebAnswer refuse(unsigned status, std::string_view text) {
    return {.status = status, .type = "text/plain; charset=utf-8", .body = fmt::format("{}\n", text)};
}

/// Returns the metrics in the text format of Prometheus.
std::string metrics(Fleet& fleet, std::size_t watchers, bool replays) {
    std::array<std::size_t, 5> modes{};
    std::array<std::size_t, 7> presences{};
    std::size_t stale = 0;
    std::size_t unconfirmed_stops = 0;
    for (const auto& session : fleet.sessions() | std::views::values) {
        modes[static_cast<std::size_t>(session->mode())] += 1;
        presences[static_cast<std::size_t>(session->presence())] += 1;
        // A robot that sends none (CM2) has no telemetry that could be stale.
        if (session->telemetry() && session->stale()) stale += 1;
        if (session->unconfirmed_stop()) unconfirmed_stops += 1;
    }
    std::string text = "# TYPE caribou_station_robots gauge\n";
    for (std::size_t i = 0; i < modes.size(); ++i)
        text += fmt::format("caribou_station_robots{{mode=\"{}\"}} {}\n",
                            to_string(static_cast<StationMode>(i)), modes[i]);
    text += "# TYPE caribou_station_presence gauge\n";
    for (std::size_t i = 0; i < presences.size(); ++i)
        text += fmt::format("caribou_station_presence{{presence=\"{}\"}} {}\n",
                            to_string(static_cast<data::Presence>(i)), presences[i]);
    const FleetCounts& counts = fleet.counts();
    return text + fmt::format(
                      "# TYPE caribou_station_stale_robots gauge\ncaribou_station_stale_robots {}\n"
                      "# TYPE caribou_station_unconfirmed_stops gauge\n"
                      "caribou_station_unconfirmed_stops {}\n"
                      "# TYPE caribou_station_watchers gauge\ncaribou_station_watchers {}\n"
                      "# TYPE caribou_station_replay gauge\ncaribou_station_replay {}\n"
                      "# TYPE caribou_station_datagrams_total counter\n"
                      "caribou_station_datagrams_total{{kind=\"all\"}} {}\n"
                      "caribou_station_datagrams_total{{kind=\"malformed\"}} {}\n"
                      "caribou_station_datagrams_total{{kind=\"foreign\"}} {}\n"
                      "# TYPE caribou_station_refused_total counter\n"
                      "caribou_station_refused_total{{what=\"datagram\"}} {}\n"
                      "caribou_station_refused_total{{what=\"robot\"}} {}\n"
                      "caribou_station_refused_total{{what=\"double\"}} {}\n"
                      "caribou_station_refused_total{{what=\"handshake\"}} {}\n",
                      stale, unconfirmed_stops, watchers, replays ? 1 : 0, counts.datagrams, counts.malformed,
                      counts.foreign, counts.refused, counts.turned_away, counts.doubled,
                      fleet.refusals().handshakes);
}

}  // namespace

StationApi::StationApi(Loop& loop, Station& station, ApiSettings settings, Log& log, Recordings* recordings)
    : loop_(loop),
      station_(station),
      settings_(std::move(settings)),
      log_(log),
      recordings_(recordings),
      foxglove_(loop, station, settings_.station, [this] { tell_wants(); }),
      refused_channels_(loop),
      replays_(loop),
      timer_(loop.make_timer([this] { tick(); })),
      stalls_(loop.clock()) {
    station_.add_listener(*this);
    tell_recording();
    timer_->arm(loop_.clock().now() + tick_period);
}

StationApi::~StationApi() { station_.remove_listener(*this); }

WebAnswer StationApi::answer(const WebRequest& request) {
    if (!is_for_us(request, settings_.hosts))
        return refuse(403, "This station is asked for by a name that is not its own.");
    if (auto signed_in = settings_.access.sign_in(request)) return std::move(*signed_in);
    // The page's files hold nothing about robots. A link on a page of another site may lead to them.
    if (auto file = request.upgrade ? std::nullopt : settings_.page.answer(request)) return std::move(*file);
    if (!is_our_own(request)) return refuse(403, "Pages of other sites have no business here.");
    const auto access = settings_.access.of(request);
    if (!access)
        return refuse(401, "A valid token is needed here: Authorization: Bearer TOKEN, or ?token=TOKEN.");
    if (request.method != "GET" && request.method != "HEAD")
        return refuse(405, "GET and HEAD are understood here.");
    if (offers_protocol(request, FoxgloveFeed::protocol)) {
        if (foxglove_.is_full())
            return refuse(503, fmt::format("Too many Foxglove clients (limit {}).", FoxgloveLimits::clients));
        return {.status = 101, .protocol = std::string(FoxgloveFeed::protocol)};
    }
    const std::string path = parse_target(request.target).path;
    if (path == "api/v1/stream") {
        if (!request.upgrade) return refuse(426, "This is a WebSocket.");
        if (!seating(access->role).admitted && refused_channels_.is_full())
            return refuse(503, too_many_watchers());
        return {.status = 101};
    }
    if (path == "api/v1/state") return picture();
    constexpr std::string_view recordings = "api/v1/recordings";
    if (path == recordings || path.starts_with(fmt::format("{}/", recordings)))
        return recorded(request, std::string_view(path).substr(std::min(recordings.size() + 1, path.size())));
    if (path == "metrics")
        return {.type = "text/plain; version=0.0.4; charset=utf-8",
                .body = metrics(station_.fleet(), watchers_.size(), shown_ != nullptr)};
    return refuse(404, "There are /api/v1/stream, /api/v1/state, /api/v1/recordings and /metrics.");
}

void StationApi::show(RecordingPlayer& player) {
    shown_ = &player;
    player.on_end([this] {
        for (const auto& watcher : watchers_ | std::views::values) watcher->tell_shared_replay();
    });
    player.find_marks([this](const data::MarksMessage& marks) {
        shown_marks_ = to_json(marks);
        for (const auto& watcher : watchers_ | std::views::values) watcher->tell_shared(shown_marks_);
    });
}

WebAnswer StationApi::picture() {
    if (loop_.clock().now() >= next_picture_) {
        next_picture_ = loop_.clock().now() + picture_period;
        picture_ = new_picture();
    }
    return {.type = "application/json", .body = picture_};
}

std::string StationApi::new_picture() {
    FleetFeed::Cursor cursor;
    std::set<views::View> shown{views::all_views.begin(), views::all_views.end()};
    shown.erase(views::View::camera);  // which needs a token
    FleetFeed::watch(cursor, feed().robots(), shown);
    return feed().next(cursor, now());
}

WebAnswer StationApi::recorded(const WebRequest& request, std::string_view file) {
    if (!recordings_) return refuse(404, "This station has no folder for recordings (record.folder).");
    if (file.empty()) {
        auto list = recordings_->json();
        if (!list) return refuse(500, list.error().message);
        return {.type = "application/json", .body = std::move(*list)};
    }
    const auto access = settings_.access.of(request);
    if (is_camera_recording(file) && !(access && access->with_token))
        return refuse(401, "This recording has images of cameras: a token is needed.");
    const auto image = recordings_->file(std::string(file));
    if (!image) return refuse(image.error().code == Code::not_found ? 404 : 500, image.error().message);
    return web_file(request, "application/octet-stream", image->bytes(),
                    std::make_shared<const FileImage>(*image));
}

void StationApi::tell_recording() {
    if (!recordings_) return;
    const std::string& name = recordings_->current();
    data::RecordingMessage message;
    if (!name.empty()) message.name = name;
    message.camera = is_camera_recording(name);
    std::string told = to_json(message);
    if (told == recording_) return;
    recording_ = std::move(told);
    tell_all(recording_);
}

void StationApi::tell_refused() {
    const Refusals refused = station_.fleet().refusals();
    if (refused == Refusals{} || loop_.clock().now() < next_refused_) return;
    std::string told = to_json(data::RefusedMessage{refused});
    if (told == refused_) return;
    refused_ = std::move(told);
    next_refused_ = loop_.clock().now() + refused_period;
    tell_all(refused_);
}

void StationApi::tell_all(const std::string& text) {
    for (const auto& watcher : watchers_ | std::views::values) watcher->tell(text);
}

void StationApi::open(const WebRequest& request, std::unique_ptr<TextChannel> channel) {
    const Access access = settings_.access.of(request).value_or(Access{});
    if (offers_protocol(request, FoxgloveFeed::protocol))
        return foxglove_.open(std::move(channel), access.with_token);
    const link::Seating seat = seating(access.role);
    if (!seat.admitted) return refused_channels_.refuse(std::move(channel), too_many_watchers());
    if (seat.closes) watchers_.at(*seat.closes)->evict("too many watchers, and this one was idle longest");
    const std::uint64_t number = next_watcher_++;
    const WebForm query = parse_target(request.target).query;
    const auto name = query.find("name");
    constexpr std::size_t longest = 32;
    const Asker asker{
        fmt::format("{}#{}", name == query.end() ? "watcher" : name->second.substr(0, longest), number),
        access.role, access.key};
    const auto watcher =
        std::make_shared<Watcher>(number, *this, std::move(channel), asker, access.with_token);
    watchers_.emplace(number, watcher);
    watcher->start();
}

link::Seating StationApi::seating(link::Role role) const {
    std::vector<link::Seat> seats;
    for (const auto& [number, watcher] : watchers_)
        seats.push_back({number, watcher->asker().role, watcher->active()});
    return link::seat_one_more(seats, role, link::SeatLimits::of(settings_.max_watchers),
                               loop_.clock().now() - settings_.idle_after);
}

std::string StationApi::too_many_watchers() const {
    return fmt::format("Too many watchers (limit {}), and none of them is idle.", settings_.max_watchers);
}

std::optional<link::Objection> StationApi::objection_to_one_more_replay(const Watcher& of) const {
    std::size_t all = 0;
    std::size_t without_token = 0;
    for (const auto& watcher : watchers_ | std::views::values) {
        if (watcher.get() == &of || !watcher->replays()) continue;
        ++all;
        without_token += watcher->with_token() ? 0U : 1U;
    }
    const auto too_many = [](std::size_t limit, std::string_view whose) {
        return link::Objection{link::Refusal::busy,
                               fmt::format("too many replays are open (limit {}{})", limit, whose)};
    };
    if (all >= settings_.max_replays) return too_many(settings_.max_replays, "");
    if (!of.with_token() && without_token >= settings_.max_replays_without_token)
        return too_many(settings_.max_replays_without_token, " without a token");
    return std::nullopt;
}

void StationApi::drop(const Watcher& watcher) {
    station_.fleet().forget(watcher.asker().name);
    // The watcher is in the middle of a call and owns the channel that makes it.
    loop_.post([gone = watchers_.extract(watcher.number())] {});
    tell_wants();
}

void StationApi::tell_wants() {
    Station::Wants wants;
    Station::CameraChoices cameras;
    for (const auto& watcher : watchers_ | std::views::values)
        for (const std::string& robot : watcher->robots()) {
            wants[robot].insert(watcher->views().begin(), watcher->views().end());
            // One encoding serves all: the largest that one of them prefers.
            if (watcher->views().contains(views::View::camera)) {
                const auto [chosen, added] = cameras.try_emplace(robot, watcher->camera());
                chosen->second = std::min(chosen->second, watcher->camera());
            }
        }
    foxglove_.add_wants(wants);
    station_.choose_cameras(std::move(cameras));
    station_.want(std::move(wants));
}

void StationApi::close_all(std::string_view why) {
    for (const auto& watcher : watchers_ | std::views::values) watcher->close(why);
    foxglove_.close_all(why);
}

void StationApi::tick() {
    stalls_.turn();
    timer_->arm(loop_.clock().now() + tick_period);
    for (const auto& watcher : watchers_ | std::views::values) {
        if (watcher->tick()) continue;
        log_.warning(fmt::format("{}: closed: it has not read, or not sent a heartbeat, for too long",
                                 watcher->asker().name));
        watcher->close("too slow: nothing was read, or no heartbeat came, for too long");
    }
    // After the states, which are not sent to a watcher that has something to read.
    tell_recording();
    tell_refused();
}

void StationApi::on_report(RobotSession& session, std::string_view text) {
    const std::string event =
        to_json(data::ReportMessage{.now = now(), .robot = session.name(), .text = std::string(text)});
    for (const auto& watcher : watchers_ | std::views::values) watcher->tell_shared(event);
}

}  // namespace caribou::station
