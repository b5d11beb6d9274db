#include "station/watcher.hpp"

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

constexpr std::string_view way_to_a_token =
    "run it as the user who runs the station, or open the address that `caribou page` prints";

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
                             .supervised = static_cast<bool>(api_->settings_.start_again),
                             .now = now()}));
    for (const std::string* const known : {&api_->recording_, &api_->refused_})
        if (!known->empty()) tell(*known);
    if (api_->shown_) tell_replay();
    tick();
}

bool Watcher::tick() {
    const Clock& clock = api_->station_.clock();
    const Instant present = clock.now();
    const std::size_t waiting = channel_->waiting();
    if (waiting == 0) read_at_ = present;
    if (waiting > api_->settings_.max_waiting || present - read_at_ > api_->settings_.max_silence)
        return false;
    if (beats_ && present - heard_at_ > api_->settings_.max_silence) return false;
    if (present < next_ || (waiting > 0 && cursor_.started)) return true;
    next_ = due_again(next_, period_, present);
    std::string state = feed().next(cursor_, now());
    if (state.empty() && present - told_ >= longest_silence) state = FleetFeed::nothing_new(now());
    if (state.empty()) return true;
    told_ = present;
    tell(std::move(state));
    return true;
}

void Watcher::tell(std::string text) { channel_->send(std::move(text)); }

void Watcher::close(std::string_view why) { channel_->close(why); }

void Watcher::evict(std::string_view why) {
    close(why);
    on_closed(why);
}

void Watcher::on_closed(std::string_view) {
    player_.reset();
    if (api_) std::exchange(api_, nullptr)->drop(*this);
}

void Watcher::on_text(std::string_view text) {
    if (!api_) return;
    heard_at_ = api_->station_.clock().now();
    const auto request = read_request(text);
    if (request) return carry_out(*request);
    tell(to_json(data::ErrorMessage{.text = request.error().message}));
}

void Watcher::carry_out(const ApiRequest& request) {
    if (request.type == ApiRequest::Type::heartbeat) return take_heartbeat(request);
    if (request.type == ApiRequest::Type::watch) {
        robots_ = request.robots;
        views_ = request.views;
        FleetFeed::watch(cursor_, robots_, views_);
        api_->tell_wants();
        period_ = request.period;
        next_ = {};
        return;
    }
    if (!is_new(request.id)) return;
    switch (request.type) {
        case ApiRequest::Type::command: return send_command(request);
        case ApiRequest::Type::route: return handle_route(request);
        case ApiRequest::Type::record: return handle_record(request);
        case ApiRequest::Type::replay: return handle_replay(request);
        case ApiRequest::Type::start_again: return start_again(request);
        default: return stop_all(request);
    }
}

bool Watcher::is_new(std::uint64_t id) {
    const auto [known, added] = answers_.try_emplace(id);
    if (!added) {
        if (!known->second.empty()) tell(known->second);
        return false;
    }
    order_.push_back(id);
    if (order_.size() > remembered) {
        answers_.erase(order_.front());
        order_.pop_front();
    }
    return true;
}

void Watcher::answer(const ApiRequest& request, Answer answer) {
    if (answer.refusal == Refusal::not_allowed && !with_token_)
        answer.text += fmt::format("; {}", way_to_a_token);
    data::AnswerMessage message;
    static_cast<data::Outcome&>(message) = outcome_of(answer);
    message.id = request.id;
    if (!request.robot.empty()) message.robot = request.robot;
    std::string text = to_json(message);
    if (const auto known = answers_.find(request.id); known != answers_.end() && answer.is_final())
        known->second = text;
    if (api_) tell(std::move(text));
}

void Watcher::send_command(const ApiRequest& request) {
    if (api_->shown_) return answer(request, Answer::refused({}, *objection_in_replay()));
    const auto session = api_->station_.fleet().require(request.robot);
    if (!session)
        return answer(request, Answer::refused({}, {Refusal::unavailable, session.error().message}));
    const auto command = link::command_from(request.command);
    if (!command)
        return answer(request, Answer::refused({}, {Refusal::bad_argument, command.error().message}));
    if (player_ && command->code != link::CommandCode::full_stop)
        return answer(request, Answer::refused({}, *objection_in_replay()));
    const Duration age = age_of(request);
    if (auto objection = link::objection_to_age(*command, age))
        return answer(request, Answer::refused({}, std::move(*objection)));
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
    // After a stall the heartbeat may have arrived that much earlier: commands may then look too old, but
    // never too young.
    const double at = api_->station_.clock().boot_seconds() - to_seconds(api_->stalls_.gap());
    tell(to_json(data::ClockMessage{.sent = *request.sent, .at = at}));
}

Duration Watcher::age_of(const ApiRequest& request) const {
    const double now = api_->station_.clock().boot_seconds();
    if (request.given) return from_seconds(std::max(0.0, now - *request.given));
    return from_seconds(request.age) + api_->stalls_.gap();
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
        if (stopped.not_done.empty())
            watcher->answer(request, Answer::done({}, fmt::format("{} stopped", stopped.done)));
        else
            watcher->answer(
                request,
                Answer::refused({}, {Refusal::failed, fmt::format("{} stopped{}", stopped.done, missed)}));
    };
    if (auto begun = api_->station_.fleet().stop_all(request.group, asker_, told); !begun)
        answer(request, Answer::refused({}, {Refusal::bad_argument, begun.error().message}));
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
        if (is_running((*session)->mode()))
            return link::Objection{Refusal::wrong_mode, fmt::format("{} runs", request.robot)};
        return std::nullopt;
    }();
    if (objection) return answer(request, Answer::refused({}, *objection));
    api_->settings_.start_again(request.robot);
    answer(request, Answer::done({}, fmt::format("{} is being started", request.robot)));
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
        // A person who starts the autopilot releases the lease.
        if (request.action == "start" || request.action == "resume") (*session)->forget(asker_.name);
        if (request.action == "start") return pilot.start();
        if (request.action == "pause") return pilot.pause();
        if (request.action == "resume") return pilot.resume();
        if (request.action == "abort") return pilot.abort();
        const std::vector<std::string> known{"load", "start", "pause", "resume", "abort"};
        return link::Objection{Refusal::bad_argument, fmt::format("there is no action `{}`{}", request.action,
                                                                  instead_of(request.action, known))};
    };
    const Objected objection = carry_out();
    if (station.fleet().find(request.robot)) station.tell_route(request.robot);
    answer(request, objection ? Answer::refused({}, *objection) : Answer::done({}));
}

}  // namespace caribou::station
