#include "station/watcher.hpp"

#include <functional>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "data/answer_message.hpp"
#include "data/clock_message.hpp"
#include "data/error_message.hpp"
#include "data/hello.hpp"
#include "loop/due_again.hpp"
#include "station/api.hpp"
#include "station/robot_json.hpp"

namespace caribou::station {

using link::Answer;
using link::Refusal;

namespace {

/// A measured clock may be that wrong, in seconds: half of the slowest round trip.
constexpr double given_tolerance = 0.5;

constexpr std::string_view way_to_a_token =
    "run it as the user who runs the station, or open the address that `caribou page` prints";

/// Of what the request asks for, whatever its age.
std::size_t hash_of(const ApiRequest& request) {
    return std::hash<std::string>{}(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", static_cast<int>(request.type),
                                                request.robot, request.command, request.group, request.action,
                                                request.name));
}

bool is_full_stop(const ApiRequest& request) {
    if (request.type != ApiRequest::Type::command) return request.type == ApiRequest::Type::stop_all;
    const auto command = link::command_from(request.command);
    return command && command->code == link::CommandCode::full_stop;
}

}  // namespace

Watcher::Watcher(std::uint64_t number, StationApi& api, std::unique_ptr<TextChannel> channel, Asker asker,
                 bool with_token)
    : number_(number),
      api_(&api),
      channel_(std::move(channel)),
      asker_(std::move(asker)),
      with_token_(with_token) {}

void Watcher::start() {
    channel_->attach(*this);
    const Clock& clock = api_->station_.clock();
    read_at_ = clock.now();
    tell(to_json(data::Hello{.api = 1,
                             .station = api_->settings_.station,
                             .you = asker_.name,
                             .role = asker_.role,
                             .token = with_token_,
                             .supervised = static_cast<bool>(api_->settings_.start_again),
                             .now = now()}));
    for (const std::string* const known : {&api_->recording_, &api_->refused_})
        if (!known->empty()) tell(*known);
    if (api_->shown_) tell_replay();
    tell_shared(api_->shown_marks_);
    tick();
}

bool Watcher::tick() {
    if (is_closing_) return true;
    const Clock& clock = api_->station_.clock();
    const Instant present = clock.now();
    const std::size_t waiting = channel_->waiting();
    // After a stall of the station itself, what the client has sent meanwhile is read first.
    const bool has_stalled = api_->stalls_.gap() > Duration::zero();
    if (waiting == 0 || has_stalled) read_at_ = present;
    if (has_stalled) heard_at_ = present;
    if (waiting > api_->settings_.max_waiting || present - read_at_ > api_->settings_.max_silence)
        return false;
    if (beats_ && present - heard_at_ > api_->settings_.max_silence) return false;
    // Cameras are as fast as watchers: one that is sampled would lose images whenever the two are in step.
    const bool has_image = present - told_ >= period_ / 2 && feed().may_have_news(cursor_, Section::camera);
    if ((present < next_ && !has_image) || (waiting > 0 && cursor_.started)) return true;
    next_ = present < next_ ? present + period_ : due_again(next_, period_, present);
    replay_is_due_ = player_ != nullptr;
    if (replay_is_due_)
        api_->replays_.request(*this);
    else
        send_state();
    return true;
}

void Watcher::send_state() {
    const Instant present = api_->station_.clock().now();
    std::string state = feed().next(cursor_, now());
    if (state.empty() && present - told_ >= longest_silence) state = FleetFeed::nothing_new(now());
    if (state.empty()) return;
    told_ = present;
    tell(std::move(state));
}

void Watcher::tell(std::string text) { channel_->send(std::move(text)); }

void Watcher::close(std::string_view why) {
    is_closing_ = true;
    channel_->close(why);
}

void Watcher::evict(std::string_view why) {
    close(why);
    on_closed(why);
}

void Watcher::on_closed(std::string_view) {
    player_.reset();
    replay_requests_.clear();
    if (!api_) return;
    api_->replays_.cancel(*this);
    std::exchange(api_, nullptr)->drop(*this);
}

void Watcher::on_text(std::string_view text) {
    if (!api_) return;
    heard_at_ = api_->station_.clock().now();
    const auto request = read_request(text);
    if (request) return carry_out(*request);
    if (const auto id = request_id(text))
        return answer({.id = *id}, Answer::refused({}, {Refusal::bad_argument, request.error().message}));
    tell(to_json(data::ErrorMessage{.text = request.error().message}));
}

void Watcher::carry_out(const ApiRequest& request) {
    if (request.type == ApiRequest::Type::heartbeat) return take_heartbeat(request);
    if (request.type == ApiRequest::Type::watch) {
        robots_ = request.robots;
        views_ = request.views;
        camera_ = request.camera;
        if (!with_token_ && views_.erase(views::View::camera) > 0)
            tell(to_json(data::ErrorMessage{
                .text = fmt::format("viewing the camera needs a token; {}", way_to_a_token)}));
        FleetFeed::watch(cursor_, robots_, views_);
        api_->tell_wants();
        period_ = request.period;
        next_ = {};
        return;
    }
    if (!is_new(request)) return;
    switch (request.type) {
        case ApiRequest::Type::command: return send_command(request);
        case ApiRequest::Type::route: return handle_route(request);
        case ApiRequest::Type::record: return handle_record(request);
        case ApiRequest::Type::replay: return queue_replay(request);
        case ApiRequest::Type::dismiss_stop: return dismiss_stop(request);
        case ApiRequest::Type::start_again: return start_again(request);
        default: return stop_all(request);
    }
}

bool Watcher::is_new(const ApiRequest& request) {
    const std::size_t hash = hash_of(request);
    const auto [known, added] = known_.try_emplace(request.id, Known{hash});
    if (added) {
        order_.push_back(request.id);
        if (order_.size() > remembered) {
            known_.erase(order_.front());
            order_.pop_front();
        }
        return true;
    }
    if (known->second.request == hash) {
        if (!known->second.answer.empty()) tell(known->second.answer);
        return false;
    }
    if (is_full_stop(request)) {
        known->second = {hash};
        return true;
    }
    tell(answer_text(
        request, Answer::refused({}, {Refusal::bad_argument,
                                      fmt::format("the id {} was used for another request", request.id)})));
    return false;
}

std::string Watcher::answer_text(const ApiRequest& request, Answer answer) const {
    if (answer.refusal == Refusal::not_allowed && !with_token_)
        answer.text += fmt::format("; {}", way_to_a_token);
    data::AnswerMessage message;
    static_cast<data::Outcome&>(message) = outcome_of(answer);
    message.id = request.id;
    if (!request.robot.empty()) message.robot = request.robot;
    return to_json(message);
}

void Watcher::answer(const ApiRequest& request, Answer answer) {
    const bool is_final = answer.is_final();
    std::string text = answer_text(request, std::move(answer));
    if (const auto known = known_.find(request.id); known != known_.end() && is_final)
        known->second.answer = text;
    if (api_) tell(std::move(text));
}

bool Watcher::halts_too_often() {
    const Instant now = api_->station_.clock().now();
    if (now - halts_since_ >= std::chrono::seconds(1)) {
        halts_since_ = now;
        halts_ = 0;
    }
    return asker_.role < link::Role::drive && ++halts_ > halts_per_second;
}

void Watcher::send_command(const ApiRequest& request) {
    if (api_->shown_) return answer(request, Answer::refused({}, *objection_in_replay()));
    const auto session = api_->station_.fleet().require(request.robot);
    if (!session)
        return answer(request, Answer::refused({}, {Refusal::unavailable, session.error().message}));
    const auto command = link::command_from(request.command);
    if (!command) return answer(request, Answer::refused({}, link::objection_to_text(command.error())));
    if (player_ && command->code != link::CommandCode::full_stop)
        return answer(request, Answer::refused({}, *objection_in_replay()));
    const Duration age = age_of(request);
    if (link::max_age(*command))
        if (auto objection = objection_to_given(request))
            return answer(request, Answer::refused({}, std::move(*objection)));
    if (auto objection = link::objection_to_age(*command, age))
        return answer(request, Answer::refused({}, std::move(*objection)));
    if (link::is_halt(*command) && halts_too_often())
        return answer(request,
                      Answer::refused({}, {Refusal::busy,
                                           fmt::format("without the role drive, at most {} halts per second; "
                                                       "a full stop is always carried out",
                                                       halts_per_second)}));
    if (command->code == link::CommandCode::topics) return change_topics(request, **session, *command);
    (*session)->send(
        *command, asker_,
        [self = weak_from_this(), request](const Answer& told) {
            if (const auto watcher = self.lock()) watcher->answer(request, told);
        },
        age);
}

void Watcher::take_heartbeat(const ApiRequest& request) {
    beats_ = true;
    if (!request.sent) return;
    // After a stall the heartbeat may have arrived that much earlier. For a client that does not read
    // `stalled`, commands may then look too old, but never too young.
    const double stalled = to_seconds(api_->stalls_.gap());
    const double at = api_->station_.clock().boot_seconds() - stalled;
    tell(to_json(data::ClockMessage{.sent = *request.sent, .at = at, .stalled = stalled}));
}

Duration Watcher::age_of(const ApiRequest& request) const {
    const double now = api_->station_.clock().boot_seconds();
    if (!request.given) return from_seconds(request.age) + api_->stalls_.gap();
    return *request.given <= now ? from_seconds(now - *request.given) : api_->stalls_.gap();
}

std::optional<link::Objection> Watcher::objection_to_given(const ApiRequest& request) const {
    const double ahead = request.given.value_or(0) - api_->station_.clock().boot_seconds();
    if (ahead <= given_tolerance) return std::nullopt;
    return link::Objection{
        Refusal::bad_argument,
        fmt::format("`given` is {:.1f} s in the future by the clock of the station; measure that clock with "
                    "a heartbeat that has `sent`",
                    ahead)};
}

void Watcher::change_topics(const ApiRequest& request, RobotSession& session, const link::Command& command) {
    if (!link::may(asker_.role, link::Role::drive))
        return answer(request, Answer::refused({}, {Refusal::not_allowed, "topics needs the role drive"}));
    const auto told = api_->station_.views_of(session).command(command.text("line"));
    answer(request, told ? Answer::done({}, *told)
                         : Answer::refused({}, {Refusal::bad_argument, told.error().message}));
}

void Watcher::stop_all(const ApiRequest& request) {
    if (api_->shown_) return answer(request, Answer::refused({}, *objection_in_replay()));
    const auto told = [self = weak_from_this(), request](const Fleet::Stopped& stopped) {
        const auto watcher = self.lock();
        if (!watcher) return;
        std::string missed;
        for (const std::string& robot : stopped.not_done) missed += "; " + robot;
        if (stopped.done == 0 && stopped.not_done.empty())
            watcher->answer(request, Answer::refused({}, {Refusal::unavailable,
                                                          "no robot was stopped: none has called yet"}));
        else if (stopped.not_done.empty())
            watcher->answer(request, Answer::done({}, fmt::format("{} stopped", stopped.done)));
        else
            watcher->answer(
                request,
                Answer::refused({}, {Refusal::failed, fmt::format("{} stopped{}", stopped.done, missed)}));
    };
    if (auto begun = api_->station_.fleet().stop_all(request.group, asker_, told); !begun)
        answer(request, Answer::refused({}, {Refusal::bad_argument, begun.error().message}));
}

void Watcher::dismiss_stop(const ApiRequest& request) {
    if (auto replay = objection_in_replay()) return answer(request, Answer::refused({}, std::move(*replay)));
    const auto session = api_->station_.fleet().require(request.robot);
    if (!session)
        return answer(request, Answer::refused({}, {Refusal::unavailable, session.error().message}));
    if (!link::may(asker_.role, link::Role::drive))
        return answer(request,
                      Answer::refused({}, {Refusal::not_allowed, "dismiss_stop needs the role drive"}));
    if (!(*session)->dismiss_stop(asker_))
        return answer(request,
                      Answer::refused({}, {Refusal::wrong_mode,
                                           fmt::format("no stop of {} is unconfirmed", request.robot)}));
    answer(request, Answer::done({}, "it is sent no more"));
}

void Watcher::start_again(const ApiRequest& request) {
    const auto objection = [&]() -> std::optional<link::Objection> {
        if (auto replay = objection_in_replay()) return replay;
        const auto session = api_->station_.fleet().require(request.robot);
        if (!session) return link::Objection{Refusal::unavailable, session.error().message};
        if (!link::may(asker_.role, link::Role::drive))
            return link::Objection{Refusal::not_allowed, "start_again needs the role drive"};
        if (!api_->settings_.start_again)
            return link::Objection{Refusal::unavailable,
                                   "no supervisor owns the process of the robot; start it where it runs"};
        if (auto late = link::objection_to_start_age(age_of(request))) return late;
        if (is_running((*session)->mode()))
            return link::Objection{Refusal::wrong_mode,
                                   fmt::format("{} is connected: its program runs", request.robot)};
        return std::nullopt;
    }();
    if (objection) return answer(request, Answer::refused({}, *objection));
    answer(request, Answer::accepted({}, fmt::format("{} is being started", request.robot)));
    if (!api_) return;
    api_->settings_.start_again(request.robot, [self = weak_from_this(),
                                                request](const Result<std::string>& outcome) {
        const auto watcher = self.lock();
        if (!watcher) return;
        watcher->answer(request, outcome ? Answer::done({}, *outcome)
                                         : Answer::refused({}, {Refusal::failed, outcome.error().message}));
    });
}

void Watcher::handle_route(const ApiRequest& request) {
    using Objected = std::optional<link::Objection>;
    Station& station = api_->station_;
    const auto carry_out = [&]() -> Objected {
        if (auto replay = objection_in_replay()) return replay;
        const auto session = station.fleet().require(request.robot);
        if (!session) return link::Objection{Refusal::unavailable, session.error().message};
        if (!link::may(asker_.role, link::Role::drive))
            return link::Objection{Refusal::not_allowed,
                                   fmt::format("routes need the role drive, and {} has {}", asker_.name,
                                               to_string(asker_.role))};
        Autopilot& pilot = station.pilot(**session);
        if (request.action == "load") {
            auto route = read_route(request.route, "route");
            if (!route) return link::Objection{Refusal::bad_argument, route.error().message};
            return pilot.load(std::move(*route));
        }
        if (request.action == "start" || request.action == "resume")
            if (auto late = link::objection_to_start_age(age_of(request))) return late;
        if (request.action == "start") return pilot.start(asker_.name);
        if (request.action == "pause") return pilot.pause();
        if (request.action == "resume") return pilot.resume(asker_.name);
        if (request.action == "abort") return pilot.abort();
        if (request.action == "clear") return pilot.clear();
        const std::vector<std::string> known{"load", "start", "pause", "resume", "abort", "clear"};
        return link::Objection{Refusal::bad_argument, fmt::format("there is no action `{}`{}", request.action,
                                                                  instead_of(request.action, known))};
    };
    const Objected objection = carry_out();
    if (station.fleet().find(request.robot)) station.tell_route(request.robot);
    answer(request, objection ? Answer::refused({}, *objection) : Answer::done({}));
}

}  // namespace caribou::station
