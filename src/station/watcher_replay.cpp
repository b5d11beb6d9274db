// Recording and replay for a watcher.

#include <algorithm>
#include <utility>
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

/// Requests of one kind replace each other: only the latest counts.
std::string_view kind_of(std::string_view action) { return action == "pause" ? "play" : action; }

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
    std::string text;
    const auto objection = objection_to_record(request, text);
    answer(request, objection ? Answer::refused({}, *objection) : Answer::done({}, std::move(text)));
    api_->tell_recording();
}

/// Executes the request. Returns the objection, if any. `text` receives what was requested.
std::optional<Objection> Watcher::objection_to_record(const ApiRequest& request, std::string& text) {
    if (api_->shown_) return objection_in_replay();
    if (!api_->recordings_) return Objection{Refusal::unavailable, no_folder};
    Recordings& recordings = *api_->recordings_;
    if (request.action == "list") {
        auto list = recordings.json();
        if (!list) return Objection{Refusal::failed, list.error().message};
        text = std::move(*list);
        return std::nullopt;
    }
    const std::vector<std::string> known{"start", "stop", "list", "delete"};
    if (std::ranges::find(known, request.action) == known.end()) return unknown_action(request.action, known);
    const bool deletes = request.action == "delete";
    const link::Role needs = deletes ? link::Role::admin : link::Role::drive;
    if (!link::may(asker_.role, needs))
        return Objection{
            Refusal::not_allowed,
            fmt::format("{} needs the role {}, and {} has {}", deletes ? "deleting a recording" : "recording",
                        to_string(needs), asker_.name, to_string(asker_.role))};
    if (request.action == "start") recordings.start();
    if (request.action == "stop") recordings.stop();
    if (!deletes) return std::nullopt;
    const auto removed = recordings.remove(request.name);
    if (removed) return std::nullopt;
    return Objection{removed.error().code == Code::not_found     ? Refusal::bad_argument
                     : removed.error().code == Code::wrong_state ? Refusal::busy
                                                                 : Refusal::failed,
                     removed.error().message};
}

void Watcher::queue_replay(const ApiRequest& request) {
    const bool replaces_all = request.action == "open" || request.action == "close";
    const auto is_superfluous = [&](const ApiRequest& waiting) {
        return replaces_all || kind_of(waiting.action) == kind_of(request.action);
    };
    for (const ApiRequest& waiting : replay_requests_)
        if (is_superfluous(waiting)) answer(waiting, Answer::done({}, "replaced by a later request"));
    std::erase_if(replay_requests_, is_superfluous);
    // Releases resources, and lets the client drive again.
    if (request.action == "close") return handle_replay(request);
    replay_requests_.push_back(request);
    api_->replays_.request(*this);
}

void Watcher::do_piece() {
    if (!replay_requests_.empty()) {
        const ApiRequest request = std::move(replay_requests_.front());
        replay_requests_.erase(replay_requests_.begin());
        handle_replay(request);
    } else if (earlier_until_) {
        tell_earlier_motion();
    } else if (std::exchange(replay_is_due_, false)) {
        if (player_ && !player_->settled())
            next_ = {};  // the next tick tries again
        else
            send_state();
    }
    if (api_ && (!replay_requests_.empty() || earlier_until_ || replay_is_due_))
        api_->replays_.request(*this);
}

void Watcher::handle_replay(const ApiRequest& request) {
    if (const auto until = std::exchange(earlier_until_, std::nullopt); until && player_) {
        player_->seek(*until);
        begin_anew();
    }
    const auto objection = objection_to_replay(request);
    if (!objection) tell_replay();
    if (!objection && request.action == "seek") begin_earlier_motion();
    if (!objection && request.action == "close") tell_shared(api_->shown_marks_);
    answer(request, objection ? Answer::refused({}, *objection) : Answer::done({}));
}

/// Executes the request. Returns the objection, if any.
std::optional<Objection> Watcher::objection_to_replay(const ApiRequest& request) {
    const std::string& action = request.action;
    if (action == "open") {
        if (!api_->recordings_) return Objection{Refusal::unavailable, no_folder};
        if (auto full = api_->objection_to_one_more_replay(*this)) return full;
        auto opened = api_->recordings_->play(request.name, &api_->replays_);
        if (!opened) return Objection{Refusal::bad_argument, opened.error().message};
        player_ = std::move(*opened);
        player_->on_end([this] { tell_replay(); });
        player_->find_marks([this](const data::MarksMessage& marks) { tell(to_json(marks)); });
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

void Watcher::begin_earlier_motion() {
    constexpr double span = 120;  // s, shared by all robots: the time that it takes is limited
    earlier_until_ = player_->now();
    const auto robots = static_cast<double>(std::max<std::size_t>(player_->moving_robots(), 1));
    player_->seek(*earlier_until_ - span / robots);
    tell(feed().next(cursor_, now()));
}

void Watcher::tell_earlier_motion() {
    constexpr double step = 0.5;  // s; after longer gaps clients break their lines
    constexpr int steps_per_piece = 10;
    for (int i = 0; i < steps_per_piece && now() + step < *earlier_until_; ++i) {
        player_->skip(now() + step);
        tell(feed().only(Section::motion, now()));
    }
    if (now() + step < *earlier_until_) return;
    player_->skip(*earlier_until_);
    earlier_until_.reset();
    begin_anew();
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
