#include "robot/command_handler.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "link/command_movement.hpp"
#include "link/command_table.hpp"
#include "robot/config_schema.hpp"
#include "robot/robot_config.hpp"

namespace caribou::robot {
namespace {

using link::Answer;
using link::CommandCode;
using link::Objection;
using link::Refusal;
using link::RunMode;

Refusal refusal_of(motion::MotionRefusal refusal) {
    switch (refusal) {
        case motion::MotionRefusal::not_permitted:
        case motion::MotionRefusal::motors_off: return Refusal::wrong_mode;
        case motion::MotionRefusal::stop_latched: return Refusal::stopped;
        case motion::MotionRefusal::illegal_transition: return Refusal::illegal_transition;
        case motion::MotionRefusal::bad_time_to_live:
        case motion::MotionRefusal::bad_velocity: return Refusal::bad_argument;
        case motion::MotionRefusal::faulted: return Refusal::unsafe;
        case motion::MotionRefusal::busy: return Refusal::busy;
        case motion::MotionRefusal::body_absent:
        case motion::MotionRefusal::guard_cut: return Refusal::unavailable;
    }
    return Refusal::failed;
}

std::string ignored_note(std::string_view command) {
    return fmt::format(
        "; the present tree names neither the fact `{0}_wanted` nor the action `{0}`, and may "
        "ignore this",
        command);
}

/// Returns how a person takes over, or why not.
std::string way_to_rm3(const RunModes& modes) {
    const auto objection = modes.objection_to({.mode = RunMode::rm3});
    if (objection && objection->refusal == Refusal::wrong_com_mode) return objection->text;
    return "`set_run_mode mode=3` takes over";
}

Refusal refusal_of(Code code) {
    switch (code) {
        case Code::invalid_argument:
        case Code::malformed:
        case Code::not_found: return Refusal::bad_argument;
        case Code::refused: return Refusal::not_allowed;
        case Code::unavailable: return Refusal::unavailable;
        default: return Refusal::failed;
    }
}

}  // namespace

CommandHandler::CommandHandler(Strand& strand, RunModes& modes, motion::MotionControl& motion,
                               RobotBuffers& buffers, SensorBoard& sensors, ThreadAi& ai, ConfigStore& store,
                               Log& log, Hands hands)
    : strand_(strand),
      modes_(modes),
      motion_(motion),
      buffers_(buffers),
      sensors_(sensors),
      ai_(ai),
      store_(store),
      log_(log),
      hands_(std::move(hands)) {}

void CommandHandler::done(const Request& request, std::string text) {
    book_.answer(AnswerBook::key_of(request), Answer::done(request.command.id, std::move(text)));
}

void CommandHandler::refuse(const Request& request, Objection why) {
    book_.answer(AnswerBook::key_of(request), Answer::refused(request.command.id, std::move(why)));
}

void CommandHandler::answer_with(const Request& request, std::optional<Objection> objection) {
    if (objection)
        refuse(request, std::move(*objection));
    else
        done(request);
}

void CommandHandler::take(const Request& request) {
    if (!buffers_.is_open(request.peer.session)) return;
    release_gone();
    switch (book_.open(request)) {
        case AnswerBook::Entry::repeated: return;
        case AnswerBook::Entry::full:
            return request.reply(
                Answer::refused(request.command.id, {Refusal::busy, "too many commands wait already"}));
        case AnswerBook::Entry::fresh: break;
    }
    if (auto objection = object_to(request)) return refuse(request, std::move(*objection));
    carry_out(request);
}

std::optional<Objection> CommandHandler::object_to(const Request& request) {
    const link::Command& command = request.command;
    if (auto objection = link::objection_to(command)) return objection;
    const double now = strand_.loop().clock().boot_seconds();
    if (auto objection = link::objection_to_age(command, from_seconds(now - request.given.value_or(now))))
        return objection;
    const link::CommandRow& row = *link::find_command(command.code);
    const bool halts = link::is_halt(command);
    if (!halts && !link::may(request.peer.role, row.needs))
        return Objection{Refusal::not_allowed,
                         fmt::format("{} needs the role {}; {} has {}", row.name, link::to_string(row.needs),
                                     request.peer.name, link::to_string(request.peer.role))};
    if (modes_.busy())
        return Objection{Refusal::busy,
                         fmt::format("it goes to {}: {}", link::to_string(modes_.mode()), modes_.why())};
    if (link::needs_lease(command.code) && request.peer.needs_lease && !halts)
        return link::is_motion(command.code) ? lease_.use(request.peer) : lease_.respect(request.peer);
    return std::nullopt;
}

void CommandHandler::carry_out(const Request& request) {
    const link::Command& command = request.command;
    switch (command.code) {
        case CommandCode::release_stop: return release_stop(request);
        case CommandCode::set_run_mode:
        case CommandCode::go_to_run_mode: return set_run_mode(request);
        case CommandCode::power_off:
            return change_mode(request, *modes_.on_signal(link::WakeSignal::power_off));
        case CommandCode::dock: return dock(request);
        case CommandCode::go: return go(request);
        case CommandCode::set_udp_port:
            hands_.set_udp_port(static_cast<std::uint16_t>(command.number("port").value_or(0)));
            return done(request);
        case CommandCode::set_parameter: return set_parameter(request);
        case CommandCode::disable_sensor: return set_sensor(request, false);
        case CommandCode::enable_sensor: return set_sensor(request, true);
        case CommandCode::disable_telemetry: return set_telemetry(request, false);
        case CommandCode::enable_telemetry: return set_telemetry(request, true);
        case CommandCode::disable_server: return disable_server(request);
        case CommandCode::status:
            if (command.text("telemetry") == "true") hands_.show_sleep();
            return done(request,
                        command.text("brief") == "true" ? to_string(hands_.state_line()) : hands_.status());
        case CommandCode::ping: return done(request, command.text("text"));
        case CommandCode::cubes:
        case CommandCode::behaviors:
        case CommandCode::map: return ask_ai(request);
        case CommandCode::bus: return ask_bus(request);
        case CommandCode::faults: {
            const auto told = hands_.faults(command.text("line"));
            return told ? done(request, *told)
                        : refuse(request, {refusal_of(told.error().code), told.error().message});
        }
        case CommandCode::topics:
            return refuse(request, {Refusal::unavailable,
                                    "subscriptions are the station's: ask there, not at the robot"});
        case CommandCode::take_lease: return take_lease(request);
        case CommandCode::release_lease:
            return answer_with(
                request, lease_.release(request.peer.session)
                             ? std::nullopt
                             : std::optional(Objection{Refusal::no_lease, "you do not hold the lease"}));
        default: return move(request);
    }
}

void CommandHandler::release_stop(const Request& request) {
    const Key key = AnswerBook::key_of(request);
    releasing_.insert(key);
    const auto on_answer = self_.bind([key](CommandHandler& self, const Answer& answer) {
        // Commands that were pending at the end of the program have been answered then.
        if (self.releasing_.erase(key) > 0) self.book_.answer(key, answer);
    });
    hands_.release_stop(request, [&strand = strand_, on_answer](const Answer& answer) {
        strand.post_here([on_answer, answer] { on_answer(answer); });
    });
}

void CommandHandler::move(const Request& request) {
    const auto motion = link::motion_of(request.command);
    if (!motion) return refuse(request, {Refusal::bad_argument, motion.error().message});
    if (auto objection = modes_.objection_to({.mode = RunMode::rm3});
        modes_.mode() != RunMode::rm3 && objection && objection->refusal == Refusal::unsafe)
        return refuse(request, std::move(*objection));
    if (link::is_halt(request.command) && cancel_errand("halted by " + request.peer.name))
        return done(request, "it is not sent anywhere any more");
    if (modes_.mode() != RunMode::rm3)
        return refuse(request,
                      {Refusal::wrong_mode,
                       fmt::format("in {} {}; {}", link::to_string(modes_.mode()),
                                   modes_.mode() == RunMode::rm2 ? "it drives itself" : "it does not move",
                                   way_to_rm3(modes_))});
    const double now = strand_.loop().clock().boot_seconds();
    const std::uint64_t order = ++last_order_;
    orders_.emplace(order, AnswerBook::key_of(request));
    motion_.order({.source = motion::MotionSource::operator_,
                   .command = *motion,
                   .time_to_live = request.command.duration("ttl"),
                   .id = order,
                   .age = from_seconds(std::max(now - request.given.value_or(now), 0.0))});
    // The session may have ended since the look-up, with propulsion notified before this order.
    if (!buffers_.is_open(request.peer.session)) motion_.link_lost();
}

void CommandHandler::on_motion_answer(const motion::MotionAnswer& answer) {
    const auto order = orders_.find(answer.id);
    if (order == orders_.end()) return;
    const Key key = order->second;
    orders_.erase(order);
    const link::CommandId id{key.second};
    if (!answer.refusal) return book_.answer(key, Answer::done(id));
    std::string text(sentence(*answer.refusal));
    if (refusal_of(*answer.refusal) == Refusal::unavailable)
        if (const std::string why = hands_.body_trouble(); !why.empty()) text += ": " + why;
    book_.answer(key, Answer::refused(id, {refusal_of(*answer.refusal), std::move(text)}));
}

void CommandHandler::set_run_mode(const Request& request) {
    const link::Command& command = request.command;
    ModeWish wish{.mode = link::run_mode_from(command.text("mode")).value(),
                  .reason = link::wait_reason_from(command.text("reason")),
                  .time = command.duration("time")};
    if (wish.mode == RunMode::rm1 && !wish.reason)
        wish.reason = wish.time ? link::WaitReason::timed_sleep : link::WaitReason::requested_sleep;
    const bool reboots = wish.mode == RunMode::rm4 || wish.mode == RunMode::rm5;
    if (auto objection = reboots ? objection_to_configuration() : std::nullopt) {
        log_.error(objection->text);
        return refuse(request, std::move(*objection));
    }
    if (reboots && !hands_.may_reboot())
        return refuse(request, {Refusal::busy, "it was rebooted too often; try again in ten minutes"});
    if (modes_.fulfills(wish)) {
        if (command.flag("drop_server") && wish.mode != RunMode::rm3) hands_.drop_server();
        return done(request, fmt::format("it is in {} already", link::to_string(wish.mode)));
    }
    auto change = modes_.request(wish, strand_.loop().clock().now());
    if (!change) return refuse(request, std::move(change.error()));
    if (command.flag("drop_server") && wish.mode != RunMode::rm3) hands_.drop_server();
    change_mode(request, *change);
}

std::optional<Objection> CommandHandler::objection_to_configuration() {
    const auto good = store_.check();
    if (good) return std::nullopt;
    return Objection{Refusal::failed, "the robot would not start again: " + good.error().message};
}

void CommandHandler::change_mode(const Request& request, const ModeChange& change) {
    log_.info(fmt::format("{} asks for {}", request.peer.name, to_string(change)));
    if (modes_.busy()) {
        going_down_ = AnswerBook::key_of(request);
        book_.answer(*going_down_, Answer::accepted(request.command.id, to_string(change)));
    } else {
        done(request, to_string(change));
    }
    hands_.apply(change);
}

void CommandHandler::on_mode(const ModeChange& change) {
    const Objection canceled{Refusal::failed, "canceled by " + to_string(change)};
    if (dock_ && change.reason == link::WaitReason::charging)
        end_docking("it is charging");
    else if (dock_ && change.to != RunMode::rm2)
        end_docking(std::unexpected(canceled));
    if (go_ && change.to != RunMode::rm2) end_going(std::unexpected(canceled));
}

void CommandHandler::finish(const ModeChange& change) {
    if (going_down_) {
        const Key key = *std::exchange(going_down_, {});
        book_.answer(key, Answer::done({key.second}, to_string(change)));
    }
    for (const Key& key : std::exchange(releasing_, {}))
        book_.answer(key, Answer::done({key.second}, "latch not stored yet: " + to_string(change)));
    dock_.reset();
    go_.reset();
    sent_to_.clear();
    orders_.clear();
    book_.refuse_all({Refusal::busy, to_string(change)});
}

void CommandHandler::dock(const Request& request) {
    Docking::Evidence evidence = dock_evidence();
    evidence.stops = request.stops;
    if (!dock_ && evidence.on_charger) return done(request, "it is on the charger");
    if (auto objection = objection_to_errand(request)) return refuse(request, std::move(*objection));
    const auto change = modes_.begin_docking(fmt::format("{} sends it to its dock", request.peer.name));
    if (!change) return refuse(request, change.error());
    dock_.emplace(AnswerBook::key_of(request), Docking(evidence));
    std::string text = "on its way to the dock";
    if (*change) text += fmt::format(" ({})", to_string(**change));
    if (buffers_.ai_board.copy().ignores_dock) text += ignored_note("dock");
    book_.answer(dock_->key, Answer::accepted(request.command.id, std::move(text)));
    if (*change) hands_.apply(**change);
    ai_.set_fact("dock_wanted", true);
}

std::optional<Objection> CommandHandler::objection_to_errand(const Request& request) const {
    if (dock_) return Objection{Refusal::busy, "it is on its way to the dock"};
    if (!sent_to_.empty()) return Objection{Refusal::busy, "it is on its way to " + sent_to_};
    if (const auto stop = motion_.report().stop)
        return Objection{Refusal::stopped,
                         fmt::format("it is stopped ({}); release_stop first", to_string(*stop))};
    if (buffers_.stops.copy().count != request.stops)
        return Objection{Refusal::expired, "a full stop was requested after it; give it again"};
    if (const std::string complaint = hands_.ai_complaint(); !complaint.empty())
        return Objection{Refusal::unavailable, "there are no behaviors that could drive it: " + complaint};
    return std::nullopt;
}

void CommandHandler::go(const Request& request) {
    const std::string place = request.command.text("place");
    if (place == map::dock_name) return dock(request);
    if (auto objection = objection_to_errand(request)) return refuse(request, std::move(*objection));
    sent_to_ = place;
    ai_.send_to(place, [this, request](const Result<std::string>& known) {
        strand_.post_here([this, request, known] {
            sent_to_.clear();
            if (modes_.busy()) return;
            if (!known) return refuse(request, {refusal_of(known.error().code), known.error().message});
            begin_going(request);
        });
    });
}

void CommandHandler::begin_going(const Request& request) {
    const std::string place = request.command.text("place");
    // The AI may have answered late.
    auto objection = object_to(request);
    if (!objection) objection = objection_to_errand(request);
    const bool is_open = buffers_.is_open(request.peer.session);
    const auto change =
        objection || !is_open
            ? std::unexpected(objection.value_or(Objection{Refusal::no_lease, "the session has ended"}))
            : modes_.begin_docking(fmt::format("{} sends it to {}", request.peer.name, place));
    if (!change) {
        ai_.call_back();
        return refuse(request, change.error());
    }
    sent_to_ = place;
    Going::Evidence evidence = go_evidence();
    evidence.stops = request.stops;
    go_.emplace(AnswerBook::key_of(request), Going(place, std::move(evidence)));
    std::string text = "on its way to " + place;
    if (*change) text += fmt::format(" ({})", to_string(**change));
    if (buffers_.ai_board.copy().ignores_go) text += ignored_note("go");
    book_.answer(go_->key, Answer::accepted(request.command.id, std::move(text)));
    if (*change) hands_.apply(**change);
}

Going::Evidence CommandHandler::go_evidence() const {
    const AiBoard board = buffers_.ai_board.copy();
    return {.at = strand_.loop().clock().now(),
            .stop = motion_.report().stop,
            .stops = buffers_.stops.copy().count,
            .arrivals = board.arrivals,
            .failed_tries = board.failed_goes,
            .failure = board.go_failure,
            .losses = board.lost_places,
            .loss = board.place_loss};
}

void CommandHandler::end_going(const Going::End& end) {
    const Key key = go_->key;
    go_.reset();
    sent_to_.clear();
    ai_.call_back();
    const link::CommandId id{key.second};
    book_.answer(key, end ? Answer::done(id, *end) : Answer::refused(id, end.error()));
    if (const auto change = modes_.end_docking(end ? *end : end.error().text)) hands_.apply(*change);
}

Docking::Evidence CommandHandler::dock_evidence() const {
    const auto round = buffers_.telemetry_buffer.copy();
    const AiBoard board = buffers_.ai_board.copy();
    return {.at = strand_.loop().clock().now(),
            .stop = motion_.report().stop,
            .stops = buffers_.stops.copy().count,
            .on_charger = round && round->summary.battery.on_charger,
            .failed_tries = board.failed_docks,
            .failure = board.dock_failure};
}

void CommandHandler::watch_errands() {
    if (dock_)
        if (const auto end = dock_->docking.look(dock_evidence())) end_docking(*end);
    if (go_)
        if (const auto end = go_->going.look(go_evidence())) end_going(*end);
}

void CommandHandler::end_docking(const Docking::End& end) {
    const Key key = dock_->key;
    dock_.reset();
    ai_.set_fact("dock_wanted", false);
    const link::CommandId id{key.second};
    book_.answer(key, end ? Answer::done(id, *end) : Answer::refused(id, end.error()));
    const std::string why = end ? *end : end.error().text;
    if (const auto change = modes_.end_docking(why)) hands_.apply(*change);
}

bool CommandHandler::cancel_errand(const std::string& why) {
    if (!modes_.docks_for_rm3()) return false;
    const Objection canceled{Refusal::failed, why};
    if (dock_)
        end_docking(std::unexpected(canceled));
    else if (go_)
        end_going(std::unexpected(canceled));
    else
        return false;
    return true;
}

void CommandHandler::set_parameter(const Request& request) {
    const std::string name = request.command.text("name");
    const std::string value = request.command.text("value");
    auto text = store_.read();
    auto changed = text ? with_parameter(*text, name, value, store_.path()) : std::move(text);
    if (!changed) return refuse(request, {refusal_of(changed.error().code), changed.error().message});
    if (const auto good = store_.check_value(name, *changed); !good)
        return refuse(request, {Refusal::bad_argument, good.error().message});
    if (auto written = store_.write(*changed); !written)
        return refuse(request, {Refusal::failed, written.error().message});
    log_.info(fmt::format("{} sets {} to {}", request.peer.name, name, value));
    const bool at_once = config_schema().find(name)->setting == config::Setting::at_once;
    if (at_once) buffers_.tell_telemetry({.rate = read_config(*changed, "").config.telemetry_rate});
    done(request, at_once ? "it is in effect" : "it takes effect with the next reboot");
}

void CommandHandler::set_sensor(const Request& request, bool on) {
    answer_with(request, sensors_.enable(request.command.text("sensor"), on));
}

void CommandHandler::set_telemetry(const Request& request, bool on) {
    const bool moves = motion_.report().movement != motion::MovementClass::halt;
    if (!on && (modes_.mode() == RunMode::rm2 || moves))
        return refuse(request,
                      {moves ? Refusal::unsafe : Refusal::wrong_mode,
                       moves ? "it moves; stop it first" : "in RM2 the behaviors live on telemetry"});
    hands_.collect_telemetry(on);
    done(request);
}

void CommandHandler::disable_server(const Request& request) {
    const auto interval = request.command.duration("connect_to_me");
    if (!interval && modes_.mode() == RunMode::rm3)
        return refuse(request,
                      {Refusal::wrong_mode, "RM3 needs a station; send connect_to_me, or go to RM2 first"});
    if (!interval && modes_.mode() == RunMode::rm1)
        return refuse(request,
                      {Refusal::nothing_would_wake, "no station could end the wait; send connect_to_me"});
    done(request, interval ? "it comes back by itself" : "it listens no more");
    hands_.disable_server(interval);
}

void CommandHandler::take_lease(const Request& request) {
    const std::optional<Peer> before = lease_.holder();
    if (auto objection = lease_.take(request.peer, strand_.loop().clock().now()))
        return refuse(request, std::move(*objection));
    const Key* const errand = dock_ ? &dock_->key : go_ ? &go_->key : nullptr;
    if (errand && errand->first != request.peer.name)
        cancel_errand(request.peer.name + " has taken the lease");
    if (!before || before->session == request.peer.session) return done(request);
    // The orders of the previous holder are void: the robot halts.
    motion_.link_lost();
    const std::string text = fmt::format("{} has taken the lease from {}", request.peer.name, before->name);
    log_.info(text);
    buffers_.report_error(text);
    done(request, text);
}

ThreadAi::Told CommandHandler::answering(const Request& request) {
    return [this, request](const Result<std::string>& answer) {
        strand_.post_here([this, request, answer] {
            // The robot may have started to shut down meanwhile, which answers all commands.
            if (modes_.busy()) return;
            if (answer) return done(request, *answer);
            refuse(request, {refusal_of(answer.error().code), answer.error().message});
        });
    };
}

void CommandHandler::ask_ai(const Request& request) {
    if (request.command.code == CommandCode::cubes)
        ai_.ask_cubes(request.command.text("line"), answering(request));
    else if (request.command.code == CommandCode::map)
        ai_.ask_map(request.command.text("line"), answering(request));
    else
        ai_.ask_behaviors(request.command.text("line"), answering(request));
}

void CommandHandler::ask_bus(const Request& request) {
    if (!hands_.ask_bus) return refuse(request, {Refusal::unavailable, "the robot is on no bus"});
    hands_.ask_bus(request.command.text("line"), answering(request));
}

void CommandHandler::add_held(std::vector<Held>& to) const {
    to.push_back({"open commands", book_.open_count(), AnswerBook::max_open});
    to.push_back({"answers for repeated commands", book_.remembered_count(), AnswerBook::max_remembered});
    to.push_back({"orders that propulsion has not answered", orders_.size(), AnswerBook::max_open});
}

void CommandHandler::release_gone() {
    const auto& holder = lease_.holder();
    if (holder && !buffers_.is_open(holder->session)) lease_.release(holder->session);
}

}  // namespace caribou::robot
