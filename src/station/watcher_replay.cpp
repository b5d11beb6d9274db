// Recording and replay for a watcher.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "data/replay_closed_message.hpp"
#include "data/replay_message.hpp"
#include "station/api.hpp"
#include "station/watcher.hpp"

namespace caribou::station {

using link::Answer;
using link::Objection;
using link::Refusal;

namespace {

Objection unknown_action(const std::string& action, const std::vector<std::string>& known) {
    return {Refusal::bad_argument,
            fmt::format("there is no action `{}`{}", action, instead_of(action, known))};
}

constexpr const char* no_folder = "this station has no folder for recordings (record.folder)";

}  // namespace

FleetFeed& Watcher::feed() { return player_ ? player_->feed() : api_->feed(); }

double Watcher::now() const { return player_ ? player_->now() : api_->now(); }

void Watcher::begin_anew() {
    cursor_.started = false;
    cursor_.seen = 0;
    for (auto& watched : cursor_.watched)
        for (auto& seen : watched.second) seen.second = 0;
    next_ = {};
}

void Watcher::handle_record(const ApiRequest& request) {
    const auto objection = [&]() -> std::optional<Objection> {
        if (api_->shown_) return objection_in_replay();
        if (!api_->recordings_) return Objection{Refusal::unavailable, no_folder};
        if (!link::may(asker_.role, link::Role::drive))
            return Objection{Refusal::not_allowed,
                             fmt::format("recording needs the role drive, and {} has {}", asker_.name,
                                         to_string(asker_.role))};
        if (request.action == "start")
            api_->recordings_->start();
        else if (request.action == "stop")
            api_->recordings_->stop();
        else
            return unknown_action(request.action, {"start", "stop"});
        return std::nullopt;
    }();
    answer(request, objection ? Answer::refused({}, *objection) : Answer::done({}));
    api_->tell_recording();
}

void Watcher::handle_replay(const ApiRequest& request) {
    const auto objection = objection_to_replay(request);
    if (!objection) tell_replay();
    answer(request, objection ? Answer::refused({}, *objection) : Answer::done({}));
}

/// Executes the request. Returns the objection, if any.
std::optional<Objection> Watcher::objection_to_replay(const ApiRequest& request) {
    const std::string& action = request.action;
    if (action == "open") {
        if (!api_->recordings_) return Objection{Refusal::unavailable, no_folder};
        auto opened = api_->recordings_->play(request.name);
        if (!opened) return Objection{Refusal::bad_argument, opened.error().message};
        player_ = std::move(*opened);
        player_->on_end([this] { tell_replay(); });
        begin_anew();
        return std::nullopt;
    }
    const std::vector<std::string> known{"open", "play", "pause", "seek", "speed", "close"};
    if (std::ranges::find(known, action) == known.end()) return unknown_action(action, known);
    if (!player_ && api_->shown_)
        return Objection{Refusal::unavailable,
                         "the station shows this recording to all clients: it has no controls"};
    if (!player_) return Objection{Refusal::unavailable, "no recording is open: open one first"};
    const bool was_at_end = player_->now() >= player_->end();
    if (action == "play") player_->play();
    if (action == "pause") player_->pause();
    if (action == "speed") player_->set_speed(request.speed);
    if (action == "seek") player_->seek(request.to);
    if (action == "close") player_.reset();
    if (action == "seek" || action == "close" || (action == "play" && was_at_end)) begin_anew();
    return std::nullopt;
}

void Watcher::tell_replay() {
    const RecordingPlayer* const player = player_ ? player_.get() : api_->shown_;
    if (!player) return tell(to_json(data::ReplayClosedMessage{}));
    tell(to_json(data::ReplayMessage{.name = player->name(),
                                     .start = player->start(),
                                     .end = player->end(),
                                     .at = player->now(),
                                     .playing = player->playing(),
                                     .speed = player->speed(),
                                     .shared = !player_}));
}

std::optional<Objection> Watcher::objection_in_replay() const {
    if (api_->shown_)
        return Objection{Refusal::unavailable,
                         "this is a recording: the station replays it, and no robot is connected"};
    if (player_) return Objection{Refusal::unavailable, "you see the past: close the replay"};
    return std::nullopt;
}

}  // namespace caribou::station
